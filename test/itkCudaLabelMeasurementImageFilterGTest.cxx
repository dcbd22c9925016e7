// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaConnectedComponentImageFilter.h"
#include "itkCudaLabelMeasurementImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkCudaTwoDevices.h"
#include "itkLabelImageToStatisticsLabelMapFilter.h"
#include "itksys/SystemTools.hxx"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace
{
using namespace itk::CudaTest;

template <typename TLabels, typename TIntensities = TLabels>
using CpuFilter = itk::LabelMeasurementImageFilter<TLabels, TIntensities>;
template <typename TLabels, typename TIntensities = TLabels>
using CudaFilter = itk::CudaLabelMeasurementImageFilter<TLabels, TIntensities>;
using Table = itk::LabelMeasurementTable;

/** Labels of cells with straight borders, with some background between them. Cells are far from the axes' directions,
 * so that they have all kinds of moments. */
template <typename TImage>
typename TImage::Pointer
DrawCells(const typename TImage::SizeType & size, unsigned int cells, long firstIndex = 0, long factor = 1)
{
  using Index = typename TImage::IndexType;
  constexpr unsigned int dimension = TImage::ImageDimension;
  std::mt19937           random(11);
  std::vector<Index>     centres(cells);
  for (Index & centre : centres)
  {
    for (unsigned int axis = 0; axis < dimension; ++axis)
    {
      centre[axis] = firstIndex + static_cast<long>(random() % size[axis]);
    }
  }
  const auto image = TImage::New();
  image->SetRegions(MakeRegion<TImage>(size, firstIndex));
  image->Allocate();
  for (itk::ImageRegionIteratorWithIndex<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    std::vector<long> distances;
    for (const Index & centre : centres)
    {
      long squared = 0;
      for (unsigned int axis = 0; axis < dimension; ++axis)
      {
        const long distance = it.GetIndex()[axis] - centre[axis];
        squared += distance * distance;
      }
      distances.push_back(squared);
    }
    const auto nearest = std::min_element(distances.begin(), distances.end());
    it.Set(static_cast<typename TImage::PixelType>(*nearest % 7 == 3 ? 0 : (nearest - distances.begin() + 1) * factor));
  }
  return image;
}

/** Expects two columns to have the same numbers, up to a share of the largest one. NaN equals NaN. */
void
ExpectSameColumns(const Table & expected, const Table & actual, const std::string & name, double tolerance)
{
  const Table::ColumnType & a = expected.GetColumn(name);
  const Table::ColumnType & b = actual.GetColumn(name);
  ASSERT_EQ(a.size(), b.size());
  double largest = 0.0;
  for (const double value : a)
  {
    largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  }
  for (std::size_t row = 0; row < a.size(); ++row)
  {
    const bool isSame = a[row] == b[row] || (std::isnan(a[row]) && std::isnan(b[row])) ||
                        std::abs(a[row] - b[row]) <= tolerance * largest;
    ASSERT_TRUE(isSame) << name << " in row " << row << ": " << a[row] << " and " << b[row];
  }
}

/** tolerance: of the sums of intensities. */
void
ExpectSameTables(const Table & expected, const Table & actual, double tolerance = 0.0)
{
  ASSERT_EQ(expected.GetColumnNames(), actual.GetColumnNames());
  for (const std::string & name : expected.GetColumnNames())
  {
    ExpectSameColumns(expected, actual, name, name == "Mean" || name == "Sum" ? tolerance : 0.0);
  }
}

/** Measures on the device and on the CPU, and returns the table of the device. */
template <typename TLabels, typename TIntensities = TLabels>
Table::ConstPointer
CompareWithCpu(const TLabels *             labels,
               const TIntensities *        intensities = nullptr,
               typename TLabels::PixelType background = 0)
{
  const auto run = [&](auto & filter) {
    filter.SetInput(labels);
    filter.SetIntensityImage(intensities);
    filter.SetBackgroundValue(background);
    filter.Update();
  };
  const auto cpu = CpuFilter<TLabels, TIntensities>::New();
  const auto cuda = CudaFilter<TLabels, TIntensities>::New();
  run(*cpu);
  run(*cuda);
  EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
  const bool isExact = std::is_integral<typename TIntensities::PixelType>::value;
  ExpectSameTables(*cpu->GetTable(), *cuda->GetTable(), isExact ? 0.0 : 1e-12);
  ExpectEqualImages<TLabels>(labels, cuda->GetOutput());
  return cuda->GetTable();
}

/** Compares a table with ITK's label map. */
template <typename TLabels, typename TIntensities>
void
CompareWithItk(const TLabels * labels, const TIntensities * intensities, const Table & table)
{
  constexpr unsigned int dimension = TLabels::ImageDimension;
  using Label = typename TLabels::PixelType;
  using Object = itk::StatisticsLabelObject<Label, dimension>;
  using Map = itk::LabelMap<Object>;
  const auto filter = itk::LabelImageToStatisticsLabelMapFilter<TLabels, TIntensities, Map>::New();
  filter->SetInput(labels);
  filter->SetFeatureImage(intensities);
  filter->SetBackgroundValue(0);
  filter->SetComputePerimeter(false);
  filter->Update();
  const Map & map = *filter->GetOutput();
  ASSERT_EQ(map.GetNumberOfLabelObjects(), table.GetNumberOfObjects());
  double extent = 0.0; // ITK computes moments about the origin of space
  for (unsigned int axis = 0; axis < dimension; ++axis)
  {
    const auto & region = labels->GetBufferedRegion();
    const double end = std::abs(static_cast<double>(region.GetIndex(axis))) + static_cast<double>(region.GetSize(axis));
    extent += std::abs(labels->GetOrigin()[axis]) + labels->GetSpacing()[axis] * end;
  }
  for (itk::SizeValueType row = 0; row < table.GetNumberOfObjects(); ++row)
  {
    const Object & object = *map.GetNthLabelObject(row);
    const auto     get = [&](const std::string & name) { return table.GetValue(name, row); };
    SCOPED_TRACE("label " + std::to_string(object.GetLabel()));
    EXPECT_EQ(object.GetLabel(), static_cast<Label>(get("Label")));
    EXPECT_EQ(object.GetNumberOfPixels(), get("NumberOfPixels"));
    EXPECT_NEAR(object.GetPhysicalSize(), get("PhysicalSize"), 1e-12 * object.GetPhysicalSize());
    const std::string axes[] = { "X", "Y", "Z" };
    for (unsigned int i = 0; i < dimension; ++i)
    {
      EXPECT_EQ(object.GetBoundingBox().GetIndex(i), get("BoundingBoxStart" + axes[i]));
      EXPECT_EQ(object.GetBoundingBox().GetSize(i), get("BoundingBoxSize" + axes[i]));
      EXPECT_NEAR(object.GetCentroid()[i], get("Centroid" + axes[i]), 1e-12 * extent);
      const std::string number = std::to_string(i + 1);
      const double      moment = get("PrincipalMoment" + number);
      EXPECT_NEAR(object.GetPrincipalMoments()[i], moment, 1e-12 * extent * extent);
      bool isDistinct = true; // otherwise, there are many axes
      for (unsigned int j = 0; j < dimension; ++j)
      {
        const double other = get("PrincipalMoment" + std::to_string(j + 1));
        isDistinct = isDistinct && (j == i || std::abs(moment - other) > 1e-5 * extent * extent);
      }
      double product = 0.0;
      for (unsigned int j = 0; j < dimension; ++j)
      {
        product += object.GetPrincipalAxes()[i][j] * get("PrincipalAxis" + number + axes[j]);
      }
      if (isDistinct)
      {
        EXPECT_NEAR(std::abs(product), 1.0, 1e-6) << number;
      }
    }
    if (dimension == 2)
    {
      // A rotation, not a reflection.
      const double determinant =
        get("PrincipalAxis1X") * get("PrincipalAxis2Y") - get("PrincipalAxis1Y") * get("PrincipalAxis2X");
      EXPECT_NEAR(determinant, 1.0, 1e-12);
    }
    const double sum = object.GetSum();
    EXPECT_NEAR(sum, get("Sum"), 1e-10 * (1.0 + std::abs(sum)));
    EXPECT_NEAR(object.GetMean(), get("Mean"), 1e-10 * (1.0 + std::abs(object.GetMean())));
    EXPECT_EQ(object.GetMinimum(), get("Minimum"));
    EXPECT_EQ(object.GetMaximum(), get("Maximum"));
  }
}

template <typename TLabels>
void
PlaceInSpace(TLabels * image)
{
  typename TLabels::SpacingType   spacing;
  typename TLabels::PointType     origin;
  typename TLabels::DirectionType direction;
  direction.SetIdentity();
  for (unsigned int i = 0; i < TLabels::ImageDimension; ++i)
  {
    spacing[i] = 0.5 + 0.75 * i;
    origin[i] = -20.0 + 13.0 * i;
  }
  direction(0, 0) = 0.8;
  direction(0, 1) = -0.6;
  direction(1, 0) = 0.6;
  direction(1, 1) = 0.8;
  image->SetSpacing(spacing);
  image->SetOrigin(origin);
  image->SetDirection(direction);
}
} // namespace

TEST(CudaLabelMeasurement, EqualsItk)
{
  using Labels = itk::Image<unsigned int, 2>;
  using Intensities = itk::Image<unsigned short, 2>;
  for (const long firstIndex : { 0l, -37l })
  {
    const auto labels = DrawCells<Labels>({ { 301, 157 } }, 40, firstIndex);
    const auto intensities = MakeRandomImage<Intensities>({ { 301, 157 } }, 3, firstIndex);
    PlaceInSpace(labels.GetPointer());
    intensities->CopyInformation(labels);
    const auto table = CompareWithCpu(labels.GetPointer(), intensities.GetPointer());
    CompareWithItk(labels.GetPointer(), intensities.GetPointer(), *table);
  }
}

TEST(CudaLabelMeasurement, EqualsItkOnVolumes)
{
  using Labels = itk::Image<unsigned short, 3>;
  using Intensities = itk::Image<float, 3>;
  const itk::Size<3> size{ { 67, 70, 13 } };
  const auto         labels = DrawCells<Labels>(size, 25, 5);
  const auto         intensities = MakeRandomImage<Intensities>(size, 3, 5);
  PlaceInSpace(labels.GetPointer());
  intensities->CopyInformation(labels);
  const auto table = CompareWithCpu(labels.GetPointer(), intensities.GetPointer());
  CompareWithItk(labels.GetPointer(), intensities.GetPointer(), *table);
}

/** More labels in a tile than its table has slots, and one object among them that is everywhere. */
TEST(CudaLabelMeasurement, ManySmallObjects)
{
  using Labels = itk::Image<unsigned int, 2>;
  const auto labels = MakeConstantImage<Labels>({ { 259, 131 } }, 5);
  unsigned   next = 10;
  for (itk::ImageRegionIteratorWithIndex<Labels> it(labels, labels->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    if ((it.GetIndex()[0] + it.GetIndex()[1]) % 3 != 0)
    {
      it.Set(next++);
    }
  }
  EXPECT_EQ(CompareWithCpu(labels.GetPointer())->GetNumberOfObjects(), next - 9);
}

TEST(CudaLabelMeasurement, AllLabelTypes)
{
  const auto compare = [](auto pixel) {
    using Labels = itk::Image<decltype(pixel), 2>;
    const auto labels = DrawCells<Labels>({ { 71, 45 } }, 9);
    labels->SetPixel({ { 3, 2 } }, std::numeric_limits<decltype(pixel)>::max());
    if (std::is_signed<decltype(pixel)>::value)
    {
      labels->SetPixel({ { 5, 2 } }, static_cast<decltype(pixel)>(-3));
      EXPECT_EQ(CompareWithCpu(labels.GetPointer())->GetValue("Label", 0), -3.0);
    }
    CompareWithCpu(labels.GetPointer());
    const Labels * const noIntensities = nullptr;
    CompareWithCpu(labels.GetPointer(), noIntensities, std::numeric_limits<decltype(pixel)>::max());
  };
  compare(static_cast<unsigned char>(0));
  compare(static_cast<signed char>(0));
  compare(static_cast<unsigned short>(0));
  compare(static_cast<short>(0));
  CompareWithCpu(DrawCells<itk::Image<int, 2>>({ { 71, 45 } }, 9).GetPointer());
  CompareWithCpu(DrawCells<itk::Image<std::uint64_t, 2>>({ { 71, 45 } }, 9).GetPointer());
}

TEST(CudaLabelMeasurement, LeavesLabelsOfMoreThan32BitsToTheCpu)
{
  using Labels = itk::Image<std::uint64_t, 2>;
  const auto filter = CudaFilter<Labels>::New();
  filter->SetInput(DrawCells<Labels>({ { 71, 45 } }, 9, 0, 1l << 33));
  const Quiet quiet;
  filter->Update();
  EXPECT_FALSE(filter->GetExecutedOnDevice());
  EXPECT_EQ(filter->GetTable()->GetValue("Label", 1), 2.0 * (1l << 33));
}

TEST(CudaLabelMeasurement, AllIntensityTypes)
{
  using Labels = itk::Image<unsigned char, 2>;
  const auto labels = DrawCells<Labels>({ { 71, 45 } }, 9);
  const auto compare = [&](auto pixel) {
    using Intensities = itk::Image<decltype(pixel), 2>;
    CompareWithCpu(labels.GetPointer(), MakeRandomImage<Intensities>({ { 71, 45 } }).GetPointer());
  };
  compare(static_cast<unsigned char>(0));
  compare(static_cast<unsigned short>(0));
  compare(static_cast<short>(0));
  compare(0.0f);
  compare(0.0);
}

/** Identifiers of an atlas: few labels, up to hundreds of millions. */
TEST(CudaLabelMeasurement, LabelsWithLargeGaps)
{
  using Labels = itk::Image<unsigned int, 2>;
  CompareWithCpu(DrawCells<Labels>({ { 71, 45 } }, 9, 0, 61445427).GetPointer());
  const auto labels = DrawCells<Labels>({ { 71, 45 } }, 9);
  labels->SetPixel({ { 3, 2 } }, std::numeric_limits<unsigned int>::max());
  EXPECT_EQ(CompareWithCpu(labels.GetPointer())->GetNumberOfObjects(), 10u);
}

TEST(CudaLabelMeasurement, DegenerateImages)
{
  using Labels = itk::Image<unsigned char, 2>;
  for (const auto & size : GetSizes<Labels>())
  {
    const auto full = MakeConstantImage<Labels>(size, 7);
    const auto table = CompareWithCpu(full.GetPointer());
    EXPECT_EQ(table->GetNumberOfObjects(), 1u);
    EXPECT_EQ(CompareWithCpu(full.GetPointer(), full.GetPointer(), 7)->GetNumberOfObjects(), 0u);
  }
}

TEST(CudaLabelMeasurement, EmptyImage)
{
  using Labels = itk::Image<unsigned char, 2>;
  const auto filter = CudaFilter<Labels>::New();
  filter->SetInput(MakeConstantImage<Labels>({ { 0, 5 } }, 1));
  filter->Update();
  EXPECT_EQ(filter->GetTable()->GetNumberOfObjects(), 0u);
}

/** Moments that 64 bits cannot hold are NaN; sizes and places are still right. */
TEST(CudaLabelMeasurement, MomentsOfHugeObjects)
{
  itk::CudaFilters::LabelSums object{ 1, {} };
  const std::int32_t          length = 2000000000;
  for (std::int32_t y = 0; y < 10; ++y)
  {
    object.Sums.AddRun(0, y, 0, length);
  }
  itk::CudaFilters::ImageGeometry geometry;
  geometry.Spacing = { { 1.0, 1.0, 1.0 } };
  geometry.Direction[0][0] = 1.0;
  geometry.Direction[1][1] = 1.0;
  const auto table = itk::CudaFilters::MakeMeasurementTable({ object }, { 1.0 }, geometry, false);
  EXPECT_TRUE(std::isnan(table->GetValue("PrincipalMoment1", 0)));
  EXPECT_EQ(table->GetValue("NumberOfPixels", 0), 10.0 * length);
  EXPECT_EQ(table->GetValue("CentroidX", 0), 0.5 * (length - 1));
}

/** Sums of positions exceed 64 bits, but their differences do not. */
TEST(CudaLabelMeasurement, FarFromTheOrigin)
{
  itk::CudaFilters::LabelSums near{ 1, {} };
  itk::CudaFilters::LabelSums far{ 1, {} };
  const std::int32_t          start = 2000000000;
  for (std::int32_t y = 0; y < 40; ++y)
  {
    near.Sums.AddRun(y / 3, y, 0, 5 + y);
    far.Sums.AddRun(start + y / 3, start + y, 0, 5 + y);
  }
  itk::CudaFilters::ImageGeometry geometry;
  geometry.Spacing = { { 1.0, 1.0, 1.0 } };
  geometry.Direction[0][0] = 1.0;
  geometry.Direction[1][1] = 1.0;
  const auto expected = itk::CudaFilters::MakeMeasurementTable({ near }, { 1.0 }, geometry, false);
  const auto actual = itk::CudaFilters::MakeMeasurementTable({ far }, { 1.0 }, geometry, false);
  for (const char * const name : { "NumberOfPixels", "PrincipalMoment1", "PrincipalMoment2", "PrincipalAxis1X" })
  {
    ExpectSameColumns(*expected, *actual, name, 0.0);
  }
  EXPECT_EQ(expected->GetValue("CentroidX", 0) + start, actual->GetValue("CentroidX", 0));
}

TEST(CudaLabelMeasurement, NaNIsInSumsOnly)
{
  using Labels = itk::Image<unsigned char, 2>;
  using Intensities = itk::Image<float, 2>;
  const auto labels = MakeConstantImage<Labels>({ { 9, 4 } }, 1);
  const auto intensities = MakeRandomImage<Intensities>({ { 9, 4 } });
  labels->SetPixel({ { 8, 3 } }, 2);
  intensities->SetPixel({ { 0, 0 } }, std::numeric_limits<float>::quiet_NaN());
  intensities->SetPixel({ { 8, 3 } }, std::numeric_limits<float>::quiet_NaN());
  const auto table = CompareWithCpu(labels.GetPointer(), intensities.GetPointer());
  EXPECT_TRUE(std::isnan(table->GetValue("Sum", 0)));
  EXPECT_FALSE(std::isnan(table->GetValue("Minimum", 0)));
  EXPECT_TRUE(std::isnan(table->GetValue("Maximum", 1)));
}

TEST(CudaLabelMeasurement, InfinityIsInTheSum)
{
  using Labels = itk::Image<unsigned char, 2>;
  using Intensities = itk::Image<double, 2>;
  const auto   labels = MakeConstantImage<Labels>({ { 9, 4 } }, 1);
  const auto   intensities = MakeRandomImage<Intensities>({ { 9, 4 } });
  const double infinity = std::numeric_limits<double>::infinity();
  labels->SetPixel({ { 7, 3 } }, 2);
  labels->SetPixel({ { 8, 3 } }, 2);
  intensities->SetPixel({ { 0, 0 } }, infinity);
  intensities->SetPixel({ { 7, 3 } }, infinity);
  intensities->SetPixel({ { 8, 3 } }, -infinity);
  const auto table = CompareWithCpu(labels.GetPointer(), intensities.GetPointer());
  EXPECT_EQ(table->GetValue("Sum", 0), infinity);
  EXPECT_TRUE(std::isnan(table->GetValue("Sum", 1)));
}

/** Sums of real numbers are the same in each run, to the last bit, and the sum of numbers that cancel is exact. */
TEST(CudaLabelMeasurement, SumsDoNotDependOnTheOrder)
{
  using Labels = itk::Image<unsigned short, 2>;
  using Intensities = itk::Image<float, 2>;
  const itk::Size<2> size{ { 300, 200 } };
  const auto         labels = DrawCells<Labels>(size, 5);
  const auto         intensities = MakeRandomImage<Intensities>(size);
  std::mt19937       random(3);
  for (itk::ImageRegionIterator<Intensities> it(intensities, intensities->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(std::ldexp(it.Get() - 128.0f, static_cast<int>(random() % 30)));
  }
  std::vector<double> first;
  for (int run = 0; run < 10; ++run)
  {
    const auto filter = CudaFilter<Labels, Intensities>::New();
    filter->SetInput(labels);
    filter->SetIntensityImage(intensities);
    filter->Update();
    std::vector<double> sums;
    for (itk::SizeValueType row = 0; row < filter->GetTable()->GetNumberOfObjects(); ++row)
    {
      sums.push_back(filter->GetTable()->GetValue("Sum", row));
    }
    first = run == 0 ? sums : first;
    EXPECT_EQ(first, sums);
  }
  const auto cancelling = MakeConstantImage<Intensities>(size, 0.0f);
  const auto one = MakeConstantImage<Labels>(size, 1);
  cancelling->SetPixel({ { 0, 0 } }, 1e9f);
  cancelling->SetPixel({ { 150, 100 } }, 0.001f);
  cancelling->SetPixel({ { 299, 199 } }, -1e9f);
  const auto filter = CudaFilter<Labels, Intensities>::New();
  filter->SetInput(one);
  filter->SetIntensityImage(cancelling);
  filter->Update();
  // The CPU adds numbers of double precision one after the other.
  EXPECT_NEAR(filter->GetTable()->GetValue("Sum", 0), 0.001, filter->GetExecutedOnDevice() ? 1e-9 : 1e-6);
}

/** Huge pixels of the background or of other objects do not matter, and neither do the greatest numbers that there are.
 */
TEST(CudaLabelMeasurement, SumsDoNotDependOnOtherObjects)
{
  using Labels = itk::Image<unsigned short, 2>;
  using Intensities = itk::Image<double, 2>;
  const itk::Size<2> size{ { 90, 70 } };
  const auto         labels = MakeConstantImage<Labels>(size, 0);
  const auto         intensities = MakeConstantImage<Intensities>(size, -3.4e38);
  double             expected = 0.0;
  for (itk::ImageRegionIteratorWithIndex<Labels> it(labels, labels->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    if (it.GetIndex()[0] % 3 > 0)
    {
      it.Set(static_cast<unsigned short>(it.GetIndex()[0] % 3));
      intensities->SetPixel(it.GetIndex(), it.Get() == 1 ? 100.1 : 1e200);
      expected += it.Get() == 1 ? 100.1 : 0.0;
    }
  }
  labels->SetPixel({ { 0, 0 } }, 3);
  intensities->SetPixel({ { 0, 0 } }, std::numeric_limits<double>::max());
  labels->SetPixel({ { 0, 1 } }, 4);
  intensities->SetPixel({ { 0, 1 } }, std::numeric_limits<double>::denorm_min());
  const auto table = CompareWithCpu(labels.GetPointer(), intensities.GetPointer());
  EXPECT_NEAR(table->GetValue("Sum", 0), expected, 1e-9 * expected);
  EXPECT_EQ(table->GetValue("Sum", 2), std::numeric_limits<double>::max());
}

TEST(CudaLabelMeasurement, EqualsTheCpuInTiles)
{
  using Labels = itk::Image<unsigned short, 3>;
  using Intensities = itk::Image<short, 3>;
  const itk::Size<3> size{ { 131, 47, 21 } };
  const auto         labels = DrawCells<Labels>(size, 25);
  const auto         intensities = MakeRandomImage<Intensities>(size);
  const auto         cpu = CpuFilter<Labels, Intensities>::New();
  const auto         cuda = CudaFilter<Labels, Intensities>::New();
  const auto         settings = itk::CudaInterface::New();
  settings->SetMemoryBudget((std::size_t{ 1 } << 20) + 100000);
  cuda->SetCudaInterface(settings);
  cpu->SetInput(labels);
  cpu->SetIntensityImage(intensities);
  cpu->Update();
  cuda->SetInput(labels);
  cuda->SetIntensityImage(intensities);
  cuda->Update();
  ExpectSameTables(*cpu->GetTable(), *cuda->GetTable());
  if (HasDevice())
  {
    EXPECT_GT(cuda->GetNumberOfTiles(), 2u) << cuda->GetExecutedOn();
  }
}

TEST(CudaLabelMeasurement, IsSharedByDevices)
{
  using Labels = itk::Image<unsigned short, 3>;
  const auto labels = DrawCells<Labels>({ { 131, 47, 21 } }, 25);
  CompareOnTwoDevices<CudaFilter<Labels>>(
    [&](auto & filter) { filter.SetInput(labels); },
    [](const auto & one, const auto & two) { ExpectSameTables(*one.GetTable(), *two.GetTable()); });
}

/** Labels stay on the device between the two filters. */
TEST(CudaLabelMeasurement, FollowsConnectedComponentsWithoutACopy)
{
  using Image = itk::Image<unsigned char, 2>;
  using Labels = itk::CudaBackedImage<unsigned int, 2>;
  const auto image = DrawCells<Image>({ { 131, 47 } }, 25);
  const auto components = itk::CudaConnectedComponentImageFilter<Image, Labels>::New();
  const auto measurements = CudaFilter<Labels>::New();
  components->SetInput(image);
  measurements->SetInput(components->GetOutput());
  const CopyWatch copies;
  measurements->Update();
  EXPECT_EQ(measurements->GetTable()->GetNumberOfObjects(), components->GetObjectCount());
  copies.Expect(1, 0);
}

TEST(CudaLabelMeasurement, TableStaysWhenTheFilterRunsAgain)
{
  using Labels = itk::Image<unsigned char, 2>;
  const auto filter = CudaFilter<Labels>::New();
  EXPECT_EQ(filter->GetTable()->GetNumberOfObjects(), 0u);
  filter->SetInput(DrawCells<Labels>({ { 71, 45 } }, 9));
  filter->Update();
  const Table::ConstPointer first = filter->GetTable();
  const auto                number = first->GetNumberOfObjects();
  filter->SetInput(MakeConstantImage<Labels>({ { 5, 5 } }, 3));
  filter->Update();
  EXPECT_EQ(first->GetNumberOfObjects(), number);
  EXPECT_EQ(filter->GetTable()->GetNumberOfObjects(), 1u);
  std::ostringstream text;
  text << *filter;
  EXPECT_NE(text.str().find("NumberOfObjects: 1"), std::string::npos) << text.str();
}

TEST(CudaLabelMeasurement, RefusesIntensitiesOfAnotherSize)
{
  using Labels = itk::Image<unsigned char, 2>;
  const auto filter = CudaFilter<Labels>::New();
  filter->SetInput(MakeConstantImage<Labels>({ { 5, 5 } }, 3));
  filter->SetIntensityImage(MakeConstantImage<Labels>({ { 5, 4 } }, 3));
  const std::string text = GetExceptionOf([&] { filter->Update(); });
  EXPECT_NE(text.find("another region"), std::string::npos) << text;
}

TEST(CudaLabelMeasurement, RefusesIntensitiesThatAreNotThere)
{
  using Labels = itk::Image<unsigned char, 2>;
  const auto intensities = MakeConstantImage<Labels>({ { 5, 3 } }, 3);
  intensities->SetLargestPossibleRegion(MakeRegion<Labels>({ { 5, 5 } }));
  const auto filter = CudaFilter<Labels>::New();
  filter->SetInput(MakeConstantImage<Labels>({ { 5, 5 } }, 3));
  filter->SetIntensityImage(intensities);
  EXPECT_FALSE(GetExceptionOf([&] { filter->Update(); }).empty());
}

TEST(CudaLabelMeasurement, RefusesLabelsThatTheTableCannotTellApart)
{
  using Labels = itk::Image<std::uint64_t, 2>;
  const auto filter = CudaFilter<Labels>::New();
  filter->SetInput(MakeConstantImage<Labels>({ { 5, 5 } }, 720575940621039145u));
  const Quiet       quiet;
  const std::string text = GetExceptionOf([&] { filter->Update(); });
  EXPECT_NE(text.find("2^53"), std::string::npos) << text;
}

TEST(LabelMeasurementTable, WritesCommaSeparatedValues)
{
  const auto table = Table::New();
  table->AddColumn("Label", { 1.0, 70000000.0 });
  table->AddColumn("Mean", { 0.1, -3.5 });
  std::ostringstream text;
  table->WriteCSV(text);
  EXPECT_EQ(text.str(), "Label,Mean\n1,0.10000000000000001\n70000000,-3.5\n");
  EXPECT_EQ(table->FindRow(70000000.0), 1u);
  EXPECT_NE(GetExceptionOf([&] { table->FindRow(2.0); }).find("no object"), std::string::npos);
  EXPECT_NE(GetExceptionOf([&] { table->GetColumn("Sum"); }).find("no column"), std::string::npos);
  EXPECT_NE(GetExceptionOf([&] { table->GetValue("Mean", 2); }).find("no row"), std::string::npos);
  EXPECT_NE(GetExceptionOf([&] { table->AddColumn("Sum", { 1.0 }); }).find("rows"), std::string::npos);
  EXPECT_NE(GetExceptionOf([&] { table->AddColumn("Mean", { 1.0, 2.0 }); }).find("already"), std::string::npos);

  const std::string name = itksys::SystemTools::GetCurrentWorkingDirectory() + "/LabelMeasurementTable.csv";
  table->WriteCSV(name);
  table->WriteCSV(name); // replaces the file
  std::ifstream      file(name);
  std::ostringstream content;
  content << file.rdbuf();
  EXPECT_EQ(content.str(), text.str());
  EXPECT_FALSE(itksys::SystemTools::FileExists(name + ".part"));
  itksys::SystemTools::RemoveFile(name);
  EXPECT_NE(GetExceptionOf([&] { table->WriteCSV(std::string("no-such-folder/table.csv")); }).find("failed"),
            std::string::npos);
}
