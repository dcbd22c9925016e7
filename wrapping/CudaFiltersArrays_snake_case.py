snake_case_functions = (
    "cuda_filters_register",
    "cuda_filters_unregister",
    "cuda_image_from_array",
    "cuda_pixel_bins",
    "cuda_pixel_function",
    "cuda_pixel_reduction",
)
