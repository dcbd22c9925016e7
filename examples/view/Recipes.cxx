// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "InputImage.h"
#include "Recipe.h"
#include "Window.h"
#include "itkCudaBinaryThresholdImageFilter.h"
#include "itkCudaCannyEdgeDetectionImageFilter.h"
#include "itkCudaConnectedComponentImageFilter.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaHMaximaImageFilter.h"
#include "itkCudaMedianImageFilter.h"
#include "itkCudaOpeningByReconstructionImageFilter.h"
#include "itkCudaRelabelComponentImageFilter.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include "itkCudaSobelEdgeDetectionImageFilter.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace
{
/** Runs a filter and takes its output, so that the next run cannot change what is being shown. */
template <typename TFilter>
std::shared_ptr<const SharedImage>
TakeOutput(TFilter & filter)
{
  filter.Update();
  const typename TFilter::OutputImageType::Pointer output = filter.GetOutput();
  output->DisconnectPipeline();
  return SharedImage::Make(output.GetPointer());
}

template <typename TImage>
class RecipeBook
{
public:
  static constexpr unsigned int Dimension = TImage::ImageDimension;
  using Mask = itk::Image<unsigned char, Dimension>;
  using Labels = itk::Image<unsigned int, Dimension>;
  using Recipes = std::vector<std::unique_ptr<Recipe>>;

  RecipeBook(TImage * image, double least, double greatest)
    : m_Image(image)
    , m_Least(least)
    , m_Greatest(greatest > least ? greatest : GetUpperEnd(least))
  {
    this->AddImage();
    this->AddGaussian();
    this->AddMedian();
    this->AddOpening();
    this->AddHMaxima();
    this->AddSobel();
    this->AddCanny();
    this->AddThreshold();
    this->AddComponents();
    this->AddDistance();
  }

  Recipes
  Take()
  {
    return std::move(m_Recipes);
  }

private:
  Recipe &
  Add(const char * name, const char * description, Appearance appearance)
  {
    m_Recipes.push_back(std::make_unique<Recipe>(name, description, appearance));
    return *m_Recipes.back();
  }

  /** A number between the least and the greatest pixel. */
  double
  At(double share) const
  {
    return m_Least + share * (m_Greatest - m_Least);
  }

  static Parameter
  Full()
  {
    return { "full", "1: diagonals connect", 0, 1, 0, true };
  }
  Parameter
  Above() const
  {
    return { "above", "objects are brighter", m_Least, m_Greatest, this->At(0.4), false, false };
  }

  /** Makes a filter whose output is 1 where pixels are brighter than a number that SetLevel() sets. */
  auto
  MakeThreshold() const
  {
    const auto filter = itk::CudaBinaryThresholdImageFilter<TImage, Mask>::New();
    filter->SetInput(m_Image);
    filter->SetInsideValue(1);
    filter->SetOutsideValue(0);
    filter->SetUpperThreshold(std::numeric_limits<float>::infinity());
    return filter;
  }
  template <typename TFilter>
  static void
  SetLevel(TFilter & filter, double level)
  {
    filter.SetLowerThreshold(std::nextafter(static_cast<float>(level), std::numeric_limits<float>::infinity()));
  }

  void
  AddImage()
  {
    Recipe &                           recipe = this->Add("image", "the image as it is", Appearance::Grey);
    std::shared_ptr<const SharedImage> image = SharedImage::Make(m_Image.GetPointer());
    recipe.SetFunction([image](const Values &) { return image; });
  }

  void
  AddGaussian()
  {
    Recipe &   recipe = this->Add("gaussian", "smoothed", Appearance::Grey);
    const auto filter = itk::CudaDiscreteGaussianImageFilter<TImage, TImage>::New();
    filter->SetInput(m_Image);
    filter->SetMaximumKernelWidth(99);
    recipe.AddFilter("gaussian", *filter);
    recipe.AddParameter({ "variance", "of the smoothing", 0, 25, 4 });
    recipe.SetFunction([filter](const Values & values) {
      filter->SetVariance(values[0]);
      return TakeOutput(*filter);
    });
  }

  void
  AddMedian()
  {
    Recipe &   recipe = this->Add("median", "without noise", Appearance::Grey);
    const auto filter = itk::CudaMedianImageFilter<TImage, TImage>::New();
    filter->SetInput(m_Image);
    recipe.AddFilter("median", *filter);
    recipe.AddParameter({ "radius", "of the box", 0, Dimension == 2 ? 10.0 : 4.0, 1, true });
    recipe.SetFunction([filter](const Values & values) {
      filter->SetRadius(static_cast<itk::SizeValueType>(values[0]));
      return TakeOutput(*filter);
    });
  }

  void
  AddOpening()
  {
    using Kernel = itk::FlatStructuringElement<Dimension>;
    Recipe &   recipe = this->Add("opening", "without what is bright and small", Appearance::Grey);
    const auto filter = itk::CudaOpeningByReconstructionImageFilter<TImage, TImage, Kernel>::New();
    filter->SetInput(m_Image);
    recipe.AddFilter("opening", *filter);
    recipe.AddParameter({ "radius", "of the ball", 0, 10, 3, true });
    recipe.AddParameter(Full());
    recipe.SetFunction([filter](const Values & values) {
      const auto radius = static_cast<itk::SizeValueType>(values[0]);
      filter->SetKernel(Kernel::Ball(itk::Size<Dimension>::Filled(radius)));
      filter->SetFullyConnected(values[1] != 0.0);
      return TakeOutput(*filter);
    });
  }

  void
  AddHMaxima()
  {
    const double range = std::min<double>(m_Greatest - m_Least, std::numeric_limits<float>::max());
    Recipe &     recipe = this->Add("h-maxima", "without low maxima", Appearance::Grey);
    const auto   filter = itk::CudaHMaximaImageFilter<TImage, TImage>::New();
    filter->SetInput(m_Image);
    recipe.AddFilter("h-maxima", *filter);
    recipe.AddParameter({ "height", "of maxima that stay", 0, range, 0.1 * range });
    recipe.AddParameter(Full());
    recipe.SetFunction([filter](const Values & values) {
      filter->SetHeight(static_cast<float>(values[0]));
      filter->SetFullyConnected(values[1] != 0.0);
      return TakeOutput(*filter);
    });
  }

  void
  AddSobel()
  {
    Recipe &   recipe = this->Add("sobel", "strength of edges", Appearance::ColourMap);
    const auto smoothing = itk::CudaDiscreteGaussianImageFilter<TImage, TImage>::New();
    smoothing->SetInput(m_Image);
    smoothing->SetMaximumKernelWidth(99);
    const auto filter = itk::CudaSobelEdgeDetectionImageFilter<TImage, TImage>::New();
    filter->SetInput(smoothing->GetOutput());
    recipe.AddFilter("gaussian", *smoothing);
    recipe.AddFilter("sobel", *filter);
    recipe.AddParameter({ "variance", "of the smoothing", 0, 25, 1 });
    recipe.SetFunction([smoothing, filter](const Values & values) {
      smoothing->SetVariance(values[0]);
      return TakeOutput(*filter);
    });
  }

  void
  AddCanny()
  {
    const double range = m_Greatest - m_Least;
    Recipe &     recipe = this->Add("canny", "edges, thin and linked", Appearance::Mask);
    const auto   filter = itk::CudaCannyEdgeDetectionImageFilter<TImage, Mask>::New();
    filter->SetInput(m_Image);
    filter->ReuseStagesOn();
    recipe.AddFilter("canny", *filter);
    recipe.AddParameter({ "upper", "where edges begin", 0, 0.25 * range, 0.06 * range, false, false });
    recipe.AddParameter({ "lower", "where edges go on", 0, 0.25 * range, 0.03 * range, false, false });
    recipe.AddParameter({ "variance", "of the smoothing", 0, 25, 2 });
    recipe.SetFunction([filter](const Values & values) {
      filter->SetUpperThreshold(static_cast<float>(values[0]));
      filter->SetLowerThreshold(static_cast<float>(values[1]));
      filter->SetVariance(values[2]);
      return TakeOutput(*filter);
    });
  }

  void
  AddThreshold()
  {
    Recipe &   recipe = this->Add("threshold", "pixels in a range", Appearance::Mask);
    const auto filter = this->MakeThreshold();
    recipe.AddFilter("threshold", *filter);
    recipe.AddParameter({ "lower", "the darkest", m_Least, m_Greatest, this->At(0.4), false, false });
    recipe.AddParameter({ "upper", "the brightest", m_Least, m_Greatest, m_Greatest, false, false });
    recipe.SetFunction([filter](const Values & values) {
      // ITK throws if there is no number between the two.
      const auto lower = static_cast<float>(values[0]);
      filter->SetLowerThreshold(lower);
      filter->SetUpperThreshold(std::max(lower, static_cast<float>(values[1])));
      return TakeOutput(*filter);
    });
  }

  void
  AddComponents()
  {
    Recipe &   recipe = this->Add("components", "connected objects", Appearance::Labels);
    const auto threshold = this->MakeThreshold();
    const auto components = itk::CudaConnectedComponentImageFilter<Mask, Labels>::New();
    components->SetInput(threshold->GetOutput());
    const auto relabel = itk::CudaRelabelComponentImageFilter<Labels, Labels>::New();
    relabel->SetInput(components->GetOutput());
    recipe.AddFilter("threshold", *threshold);
    recipe.AddFilter("components", *components);
    recipe.AddFilter("order by size", *relabel);
    recipe.AddParameter(this->Above());
    recipe.AddParameter({ "minimum-size", "pixels of an object", 1, 1000, 20, true });
    recipe.AddParameter(Full());
    recipe.SetFunction(
      [threshold, components, relabel](const Values & values) {
        SetLevel(*threshold, values[0]);
        relabel->SetMinimumObjectSize(static_cast<itk::SizeValueType>(values[1]));
        components->SetFullyConnected(values[2] != 0.0);
        return TakeOutput(*relabel);
      },
      [relabel] {
        const auto count = relabel->GetNumberOfObjects();
        return std::to_string(count) + (count == 1 ? " object" : " objects");
      });
  }

  void
  AddDistance()
  {
    double diagonal = 0.0;
    for (unsigned int axis = 0; axis < Dimension; ++axis)
    {
      const double length =
        m_Image->GetSpacing()[axis] * static_cast<double>(m_Image->GetBufferedRegion().GetSize(axis));
      diagonal += length * length;
    }
    Recipe &   recipe = this->Add("distance", "distance to objects", Appearance::ColourMap);
    const auto threshold = this->MakeThreshold();
    const auto filter = itk::CudaSignedMaurerDistanceMapImageFilter<Mask, TImage>::New();
    filter->SetInput(threshold->GetOutput());
    filter->SquaredDistanceOff();
    filter->UseImageSpacingOn();
    recipe.AddFilter("threshold", *threshold);
    recipe.AddFilter("distance", *filter);
    recipe.AddParameter(this->Above());
    Parameter level{ "level", "distance of the surface", 0, 0.1 * std::sqrt(diagonal), 0.02 * std::sqrt(diagonal) };
    level.HasLeast = false; // negative inside of objects
    level.IsOfSurface = true;
    recipe.AddParameter(level);
    recipe.SetFunction([threshold, filter](const Values & values) {
      SetLevel(*threshold, values[0]);
      return TakeOutput(*filter);
    });
  }

  typename TImage::Pointer m_Image;
  double                   m_Least;
  double                   m_Greatest;
  Recipes                  m_Recipes;
};
} // namespace

template <typename TImage>
std::vector<std::unique_ptr<Recipe>>
MakeRecipes(TImage * image, double least, double greatest)
{
  return RecipeBook<TImage>(image, least, greatest).Take();
}

template std::vector<std::unique_ptr<Recipe>>
MakeRecipes(InputImage<2> *, double, double);
template std::vector<std::unique_ptr<Recipe>>
MakeRecipes(InputImage<3> *, double, double);
