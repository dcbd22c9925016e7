// What the wrapping of this module adds to the classes.

%define CUDA_STAGE_TIMES(swig_name)
  %extend swig_name
  {
    std::vector<std::string>
    _GetStageNames() const
    {
      std::vector<std::string> names;
      for (const auto & stage : self->GetStageTimes())
      {
        names.push_back(stage.Name);
      }
      return names;
    }

    std::vector<double>
    _GetStageMilliseconds() const
    {
      std::vector<double> milliseconds;
      for (const auto & stage : self->GetStageTimes())
      {
        milliseconds.push_back(stage.Milliseconds);
      }
      return milliseconds;
    }

    %pythoncode %{
    def GetStageTimes(self):
        """The stages of the last run on the device and their milliseconds, if CudaInterface.SetTiming(True) was set."""
        return list(zip(self._GetStageNames(), self._GetStageMilliseconds()))
    %}
  }
%enddef

%define CUDA_FILTER(swig_name)
  CUDA_STAGE_TIMES(swig_name)
  %extend swig_name
  {
    %pythoncode %{
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        from itk.cuda_arrays import keep_images_on_device
        keep_images_on_device(cls)

    def GetOutput(self, *args):
        """The output, as an image whose pixels are downloaded when they are accessed."""
        from itk.cuda_arrays import as_cuda_image
        return as_cuda_image(super().GetOutput(*args))

    def _prepare_outputs(self):
        # As GetOutput() gives them, pixels may stay on the device.
        for index in range(self.GetNumberOfIndexedOutputs()):
            self.GetOutput(index)

    def Update(self):
        self._prepare_outputs()
        super().Update()

    def UpdateLargestPossibleRegion(self):
        self._prepare_outputs()
        super().UpdateLargestPossibleRegion()
    %}
  }
%enddef

// A filter with outputs of several types: ITK's GetOutput() converts only the first one.
%define CUDA_LABELS_AS_OUTPUT(swig_name)
  %extend swig_name
  {
    %pythoncode %{
    def GetOutput(self, index=0):
        """The distances or, with index 1, the labels. Offsets, which would be output 2, have no type in Python."""
        from itk.cuda_arrays import as_cuda_image
        if index == 0:
            return super().GetOutput()
        return as_cuda_image(self.GetVoronoiMap()) if index == 1 else None

    def _prepare_outputs(self):
        self.KeepOffsetsOnDevice()
        super()._prepare_outputs()

    def __internal_call__(self):
        """Updates the filter, and returns distances and labels."""
        import itk
        self.UpdateLargestPossibleRegion()
        return itk.down_cast(self.GetOutput(0)), itk.down_cast(self.GetOutput(1))
    %}
  }
%enddef

%define CUDA_IMAGE(swig_name, swig_image_name)
  %init %{
    itk::CudaPython::DownloadWhenPassedAs<swig_name, swig_image_name>(SWIGTYPE_p_ ## swig_name, SWIGTYPE_p_ ## swig_image_name);
  %}

  %extend swig_name
  {
    %pythoncode %{
    @property
    def __class__(self):
        # ITK's Python functions choose templates by __class__: they treat the image as an itk.Image.
        return type(self).__bases__[0]

    @property
    def __cuda_array_interface__(self):
        """The pixels on the device, for CuPy, Numba, PyTorch and others; they may be written."""
        from itk.cuda_arrays import get_cuda_array_interface
        return get_cuda_array_interface(self)

    def __dlpack__(self, stream=None, **options):
        """The pixels for from_dlpack() of other libraries: on the device if there is one, else on the host."""
        from itk.cuda_arrays import get_dlpack
        return get_dlpack(self, stream, **options)

    def __dlpack_device__(self):
        from itk.cuda_arrays import get_dlpack_device
        return get_dlpack_device(self)

    def __reduce_ex__(self, protocol):
        """For pickle and copy.deepcopy(): a plain image with the same pixels."""
        from itk.cuda_arrays import reduce_image
        return reduce_image(self)
    %}
  }
%enddef

// A table of measurements, as a mapping of names to arrays: pandas.DataFrame(dict(table)) takes it.
%define MEASUREMENT_TABLE(swig_name)
  %extend swig_name
  {
    std::vector<std::string>
    _GetNames() const
    {
      return self->GetColumnNames();
    }

    std::vector<double>
    _GetNumbers(const std::string & name) const
    {
      return self->GetColumn(name);
    }

    %pythoncode %{
    def keys(self):
        """The names of the columns."""
        return list(self._GetNames())

    def __getitem__(self, name):
        """A column, as an array of numbers."""
        import numpy as np
        if not self.HasColumn(name):
            raise KeyError(name)
        return np.array(self._GetNumbers(name))

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        """The number of objects."""
        return self.GetNumberOfObjects()
    %}
  }
%enddef

%define CUDA_INTERFACE(swig_name)
  %extend swig_name
  {
    static std::vector<unsigned long>
    _GetCopyCounters()
    {
      const auto counters = itk::CudaInterface::GetCopyCounters();
      return { counters.Uploads, counters.Downloads, counters.UploadedBytes, counters.DownloadedBytes };
    }

    %pythoncode %{
    @staticmethod
    def GetCopyCounters():
        """All copies of pixels between host and devices since the program started."""
        from itk.cuda_arrays import CopyCounters
        return CopyCounters(*itkCudaInterface._GetCopyCounters())
    %}
  }
%enddef

%define CUDA_SHARED_PIXELS(swig_name)
  %extend swig_name
  {
    void
    _Borrow(unsigned long pointer, unsigned long bytes, unsigned long stream, PyObject * owner)
    {
      self->Borrow(pointer, bytes, stream, itk::CudaPython::Hold(owner));
    }

    PyObject *
    _ToDLPack(const std::vector<long> & shape, int code, int bits) const
    {
      return itk::CudaPython::ToDLPack(*self, shape, code, bits);
    }

    static PyObject *
    _FromDLPack(PyObject * capsule)
    {
      return itk::CudaPython::FromDLPack(capsule);
    }
  }
%enddef
