snake_case_functions = ("cuda_image_from_array",)
