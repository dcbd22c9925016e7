#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Prints a header for Doxygen, which calls it: describe_conventions.py FILE

What every ITK class has (Self, Pointer, New() ...) is left out or described here once, and not in each header: the
methods of ITK that classes override, the customary names of types. A declaration that follows another without an empty
line shares its comment. Everything else needs a comment of its own. Lines keep their numbers.
"""
import re
import sys

# What is left out: readers of ITK's classes know it, and inherited names are in the parents.
LEFT_OUT = re.compile(
    r"^ *(using (Self|Superclass|(Const)?(Weak)?Pointer|\w*AccessorFunctorType) = .*|using (typename )?Superclass::.*"
    r"|using \w+ = (typename )?Superclass::\w+|using (InputImage|OutputImage|DataObject)\w* = .*);$"
)

DESCRIPTIONS = {
    "AllocateElements": "Makes memory for pixels.",
    "Allocate": "Makes memory for the pixels.",
    "AfterStreamedGenerateData": "Finishes after all pieces.",
    "AfterThreadedGenerateData": "Finishes after all threads.",
    "BeforeStreamedGenerateData": "Prepares before the first piece.",
    "BeforeThreadedGenerateData": "Prepares before threads begin.",
    "CanRunInPlace": "Whether the output may take the place of the input.",
    "DataHasBeenGenerated": "Notes that the pixels are up to date.",
    "DeallocateManagedMemory": "Releases the memory.",
    "DynamicThreadedGenerateData": "Computes a region of the output on the CPU.",
    "EnlargeOutputRequestedRegion": "Asks for the whole output, where a part cannot be computed alone.",
    "GenerateData": "Computes the outputs.",
    "GenerateInputRequestedRegion": "Asks the inputs for the pixels that are needed.",
    "GenerateNthInputRequestedRegion": "Asks the input for the pixels of a piece.",
    "GenerateOutputInformation": "Tells size, spacing, origin and direction of the outputs.",
    "GetMTime": "The time of the last change, of the settings for computation, too.",
    "GetNumberOfInputRequestedRegions": "The number of pieces.",
    "Graft": "Shares the pixels of another image.",
    "Initialize": "Returns to the state of a new object, without pixels.",
    "MakeOutput": "Makes an empty output.",
    "PrintSelf": "Prints settings and state.",
    "PropagateRequestedRegion": "Asks the inputs for the pixels that are needed.",
    "SetOutput": "Replaces an output.",
    "StreamedGenerateData": "Computes a piece.",
    "ThreadedStreamedGenerateData": "Computes a part of a piece on the CPU.",
    "ThreadedComputeMinimumAndMaximum": "Finds the range of the values.",
    "Update": "Brings the pixels up to date.",
    "UpdateOutputData": "Brings the pixels of an output up to date.",
    "UpdateOutputInformation": "Brings size, spacing, origin and direction of the outputs up to date.",
    "VerifyInputInformation": "Throws an exception if the inputs do not fit each other.",
    "VerifyPreconditions": "Throws an exception if an input or a setting is missing.",
    # Of this module, for authors of filters.
    "CollectImages": "Lists the images that the operation reads and writes.",
    "GenerateDataOnCPU": "Computes the outputs with the parent's code.",
    "GetUnsupportedReason": "Why a device cannot compute this input; empty if it can.",
    "MakeOperation": "Describes the computation on the device with the settings as they are now.",
    "ReduceOnHost": "Computes a region on the CPU.",
    "SupportsPixelTypes": "Whether there are kernels for these types of pixels.",
    "TakeResult": "Takes the result of a region over from the device.",
}

TYPES = {
    "FunctorType": "The function of the pixels.",
    "ImageDimension": "The number of axes of the image.",
    "CudaPixelContainer": "The container of this module.",
    "Element": "A pixel.",
    "ElementIdentifier": "The place of a pixel.",
    "HistogramType": "The histogram.",
    "ImageType": "The image.",
    "InputPixelType": "A pixel of the input.",
    "IntensityImageType": "The image whose intensities are measured.",
    "LabelImageType": "The image of labels.",
    "LabelType": "A label.",
    "MaskImageType": "The image of the mask.",
    "MaskPixelType": "A pixel of the mask.",
    "OutputPixelType": "A pixel of the output.",
    "OutputRegionType": "A region of the output.",
    "PixelType": "A pixel.",
    "RadiusType": "Pixels on each side, for each axis.",
    "RealPixelType": "A pixel as a real number.",
    "RealValueType": "A component of a pixel as a real number.",
    "ReferenceImageType": "The image to compare with.",
    "RegionType": "A region of the image.",
    "StageTimes": "The times of the stages of a run.",
    "SumsType": "The sums of all bins.",
}


def is_described(lines, number):
    """Whether a comment ends just above a line."""
    above = lines[number - 1].strip()
    return above.endswith("*/") or above.startswith(("///", "template"))


def describe(text):
    # What begins a class of this module.
    text = re.sub(
        r"itkCudaFilterMacro\((?!thisClass)[^;]*\);",
        lambda match: "/** Makes a filter, which a smart pointer owns. */ static Pointer New();"
        + "\n" * match.group().count("\n"),
        text,
    )
    text = re.sub(
        r"const char \*\n? *GetNameOfClass\(\) const override\n? *\{[^}]*\}",
        lambda match: "\n" * match.group().count("\n"),
        text,
    )
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if LEFT_OUT.match(line):
            lines[number] = ""
            continue
        if number == 0 or is_described(lines, number):
            continue
        if match := re.match(r"^ *(?:using (\w+) =|static constexpr unsigned int (\w+) =)", line):
            name = match.group(1) or match.group(2)
            if name in TYPES:
                lines[number] = f"/** {TYPES[name]} */ {line}"
        elif match := re.match(r"^ +(\w+)\(.*", line):
            rest = " ".join(lines[number : number + 4])
            declaration = re.match(r"^[^;{]*", rest).group()
            if match.group(1) in DESCRIPTIONS and re.search(r"\boverride\b", declaration):
                # The type of the result is in the line above.
                if not is_described(lines, number - 1):
                    lines[number - 1] = f"/** {DESCRIPTIONS[match.group(1)]} */ {lines[number - 1]}"

    # What follows a described declaration without an empty line between shares its comment.
    comment, is_group = None, False
    for number, line in enumerate(lines):
        if line.strip() == "/**@{*/":
            is_group = comment is not None
            lines[number] = "" if is_group else line
        elif line.strip() == "/**@}*/":
            lines[number] = "" if is_group else line
            comment, is_group = None, False
        elif line.lstrip().startswith("/**"):
            text, end = "", number
            while "*/" not in lines[end]:
                text += lines[end].strip().lstrip("/*") + " "
                end += 1
            text += lines[end].strip().lstrip("/*").split("*/")[0]
            indent = len(line) - len(line.lstrip())
            comment = None if "\\" in text or "@" in text else f"/** {text.strip()} */"
        elif not line.strip() or line.strip().endswith(":"):
            comment = comment if is_group else None
        elif (
            comment
            and len(line) - len(line.lstrip()) == indent
            and re.search(r"[;}]$|^$" if is_group else r"[;}]$", lines[number - 1].rstrip())
        ):
            if not line.lstrip().startswith(("}", "/", "#")):
                lines[number] = comment + line
        # Macros that declare two methods.
        described = comment or ""
        lines[number] = re.sub(
            r".*itkBooleanMacro\((\w+)\);",
            rf"{described} virtual void \1On(); {described} virtual void \1Off();",
            lines[number],
        )
        lines[number] = re.sub(
            r".*itkGetModifiableObjectMacro\((\w+), (\w+)\);",
            rf"{described} virtual \2 * GetModifiable\1(); {described} virtual const \2 * Get\1() const;",
            lines[number],
        )
    return "\n".join(lines)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(describe(file.read()))
