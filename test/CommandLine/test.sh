#!/usr/bin/env bash
# Tests the program cudafilters: test.sh PROGRAM INPUT_FOLDER
#
# Good input gives the file and status 0; bad input gives one line of the program's, a status that is not 0, and no file.
set -uo pipefail
program=$(realpath "$1")
input=$(realpath "$2")
slice=$input/BrainProtonDensitySlice.png
volume=$input/BrainProtonDensity3Slices.mha
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# good OUTPUT ARGUMENT ...: works, says nothing on standard error, leaves OUTPUT and nothing else that is new.
good() {
  local output=$1
  shift
  "$program" "$@" >out 2>err || fail "$* has status $?: $(cat err)"
  [[ -s $output ]] || fail "$* wrote no $output"
  [[ ! -s err ]] || fail "$* said: $(cat err)"
  no_leftovers "$*"
}

# bad STATUS WORDS ARGUMENT ...: fails with STATUS and one line that holds WORDS, and writes no out.* . Libraries of image
# formats may print lines of their own.
bad() {
  local status=$1 words=$2 got
  shift 2
  rm -f out.*
  "$program" "$@" >out 2>err
  got=$?
  ((got == status)) || fail "$* has status $got, not $status"
  (($(grep -c '^cudafilters: ' err) == 1)) || fail "$* said more or less than one line: $(cat err)"
  grep '^cudafilters: ' err | grep -qF -- "$words" || fail "$* did not say '$words' but: $(cat err)"
  [[ -z $(find . -name 'out.*') ]] || fail "$* left $(find . -name 'out.*')"
  no_leftovers "$*"
}

no_leftovers() { [[ -z $(find . -name '.cudafilters*') ]] || fail "$1 left $(find . -name '.cudafilters*')"; }

# ---- Good input
good a.png gaussian "$slice" a.png
good b.png gaussian "$slice" b.png --variance 4,1 --backend cpu --block-size 64 --memory-budget 100MB --exact
good c.mha gaussian "$volume" c.mha --variance 2,1,1 --maximum-error 0.1 --pixel-units
good c.mhd gaussian "$volume" c.mhd
[[ -s c.raw ]] || fail "c.mhd has no c.raw"
good d.nrrd gaussian c.mhd d.nrrd
good e.tif gaussian "$slice" e.tif --as float32
good f.nii.gz gaussian "$volume" f.nii.gz --as int16
good g.jpg gaussian "$slice" g.jpg
ln -s target.png link.png
good target.png gaussian "$slice" link.png
[[ -L link.png ]] || fail "a link was replaced"
# Pixels that do not fit are set to the nearest, with a warning.
printf '%s\n' 'ObjectType = Image' 'NDims = 2' 'DimSize = 2 1' 'ElementType = MET_SHORT' 'ElementDataFile = LOCAL' >wide.mha
printf '\030\374\350\003' >>wide.mha # -1000 and 1000
"$program" gaussian wide.mha narrow.mha --as uint8 --variance 0 2>err || fail "--as uint8 has status $?"
grep -q "2 pixels do not fit" err || fail "--as uint8 said: $(cat err)"
[[ $(tail -c 2 narrow.mha | od -An -tu1 | tr -d ' \n') == 0255 ]] || fail "--as uint8 wrapped around"
cp "$slice" same.png
# Edges: real numbers become whole ones where the format has no others.
good s.mha sobel "$slice" s.mha
grep -qa MET_FLOAT s.mha || fail "sobel did not write real numbers"
good s.png sobel "$slice" s.png --exact
"$program" sobel "$slice" s.jpg --as uint16 2>err || fail "sobel to 8 bits has status $?"
grep -q "do not fit the 8 bits" err || fail "sobel to 8 bits said: $(cat err)"
good s3.mha sobel "$volume" s3.mha --direction d3.mha --elevation e3.mha
[[ -s d3.mha && -s e3.mha ]] || fail "sobel wrote no angles"
good z.png zero-crossing "$slice" z.png --foreground 200 --background 3
good m.png median "$slice" m.png --radius 2
good mc.png median "$slice" mc.png --radius 2 --backend cpu
cmp -s m.png mc.png || fail "the median differs from the CPU's"
good mean.png mean "$slice" mean.png --radius 2
good meanc.png mean "$slice" meanc.png --radius 2 --backend cpu
cmp -s mean.png meanc.png || fail "the mean differs from the CPU's"
good f.png function "$slice" f.png --text 'x > t ? x : 0' --set t=60.5
good fc.png function "$slice" fc.png --text 'x > t ? x : 0' --set t=60.5 --backend cpu
cmp -s f.png fc.png || fail "the function differs from the CPU's"
good fn.mha function "$volume" fn.mha --text 'n(1, 0, 0) - n(-1, 0, 0)' --radius 1 --as float32
good f2.png function "$slice" f2.png --text 'x - y' --second f.png
good otsu3.png otsu-classes "$slice" otsu3.png --classes 4 --picture otsu3-picture.png
(($(grep '^thresholds' out | wc -w) == 4)) || fail "otsu-classes did not tell three thresholds: $(cat out)"
good otsuv.mha otsu-classes "$volume" otsuv.mha
good statistics.png statistics "$slice" --picture statistics.png --timing
(($(grep -cE '^(pixels|minimum|maximum|mean|sigma|sum) +[-0-9]' out) == 6)) || fail "statistics told: $(cat out)"
# Two real numbers: 1 and NaN, NaN alone, 1 and infinity, and one pixel.
real_header() { printf '%s\n' 'ObjectType = Image' 'NDims = 2' "DimSize = $1 1" 'ElementType = MET_FLOAT' 'ElementDataFile = LOCAL'; }
{ real_header 2 && printf '\0\0\200\077\0\0\300\177'; } >half.mha
{ real_header 1 && printf '\0\0\300\177'; } >nan.mha
{ real_header 2 && printf '\0\0\200\077\0\0\200\177'; } >infinite.mha
{ real_header 1 && printf '\0\0\200\077'; } >one.mha
good half.png statistics half.mha --picture half.png
grep -q '^NaN     1,' out || fail "statistics did not tell of NaN: $(cat out)"
good one.png statistics one.mha --picture one.png
grep -q '^sigma   0$' out || fail "statistics of one pixel told: $(cat out)"
"$program" statistics "$volume" --bins 10 >out || fail "statistics of a volume has status $?"
good t.png threshold "$slice" t.png --lower 60.5 --upper 120
good o.png otsu "$slice" o.png --bins 64
grep -q '^threshold [0-9]' out || fail "otsu did not tell the threshold: $(cat out)"
good o3.mha otsu "$volume" o3.mha --dark
good c.png canny "$slice" c.png
good cx.png canny "$slice" cx.png --exact --backend cpu
good ct.png canny "$slice" ct.png --memory-budget 300kB
cmp -s c.png ct.png || fail "canny in tiles differs"
good c3.mha canny "$volume" c3.mha --variance 1,1,4 --upper 9 --lower 3 --timing
# Reconstruction: all ways give the same.
good h.png h-maxima "$slice" h.png --height 30
good r.png reconstruct h.png r.png --mask "$slice"
good rc.png reconstruct "$slice" rc.png --mask h.png --cut
good rt.png reconstruct h.png rt.png --mask "$slice" --memory-budget 60kB
good rl.png reconstruct h.png rl.png --mask "$slice" --strategy line-sweeps --backend auto
good rd.png reconstruct h.png rd.png --mask "$slice" --strategy tile-diagonals
for other in rt rl rd; do
  cmp -s r.png "$other.png" || fail "$other.png is not r.png"
done
cmp -s rc.png h.png || fail "what is cut to the mask does not stay"
good re.mha reconstruct-by-erosion "$volume" re.mha --mask "$volume" --fully-connected --timing
for name in h-minima h-convex h-concave fill-holes regional-maxima regional-minima; do
  good "$name.png" "$name" "$slice" "$name.png"
  good "$name.mha" "$name" "$volume" "$name.mha" --fully-connected --as float32
done
good o.png opening "$slice" o.png --radius 2 --preserve
good o3.mha closing "$volume" o3.mha --radius 1
# Distances.
good d.mha distance "$slice" d.mha --above 130
good dt.mha distance "$slice" dt.mha --above 130 --memory-budget 300kB
cmp -s d.mha dt.mha || fail "distance in tiles differs"
good d3.mha distance "$volume" d3.mha --squared --inside-positive --in-pixels
good dw.mha distance "$slice" dw.mha --above 130 --strategy full-wavefront
"$program" hausdorff "$slice" "$slice" --above 130 >out || fail "hausdorff of equal images has status $?"
grep -q '^Hausdorff distance 0$' out || fail "equal images are apart: $(cat out)"
"$program" hausdorff "$slice" "$slice" --above 130 --timing >out || fail "hausdorff --timing has status $?"
grep -q '^hausdorff .* ms  on ' out || fail "hausdorff --timing did not tell where it ran: $(cat out)"
good grown.mha grow-labels "$slice" grown.mha --distance grown-distance.mha
good growntiles.mha grow-labels "$slice" growntiles.mha --memory-budget 2MB
cmp -s grown.mha growntiles.mha || fail "grow-labels in tiles differs"
good dilated.mha dilate "$slice" dilated.mha --radius 2.5 --foreground 130
good eroded.mha erode "$volume" eroded.mha --radius 1 --in-pixels
good kept.mha dilate "$slice" kept.mha --radius 0 --foreground 130
cmp -s dilated.mha kept.mha && fail "dilate did nothing"
good kept.mha erode "$volume" kept.mha --radius 0
cmp -s eroded.mha kept.mha && fail "erode did nothing"
[[ -s grown-distance.mha ]] || fail "grow-labels wrote no distances"
# Connected components.
good l.mha components "$slice" l.mha --above 190 --full --stats l.csv --picture l-picture.png
objects=$(sed -n 's/^\([0-9]*\) objects$/\1/p' out)
[[ $objects -gt 100 ]] || fail "components did not tell many objects: $(cat out)"
(($(wc -l <l.csv) == objects + 1)) || fail "the table of components has $(wc -l <l.csv) lines for $objects objects"
head -1 l.csv | grep -q '^Label,NumberOfPixels,.*,Sum$' || fail "the table of components begins with $(head -1 l.csv)"
[[ -s l-picture.png ]] || fail "components drew no picture"
good lt.mha components "$slice" lt.mha --above 190 --full --memory-budget 200kB
cmp -s l.mha lt.mha || fail "components in tiles differ"
good l.png components "$slice" l.png --above 190 --sort --minimum-size 20 --stats ls.csv
awk -F, 'NR > 2 && $2 > size { bad = 1 } { size = $2 } END { exit bad }' ls.csv || fail "components are not sorted: $(cat ls.csv)"
good l3.nrrd components "$volume" l3.nrrd --above 190 --mask "$volume" --intensities "$volume" --stats l3.csv --picture l3.png
good lw.mha components "$volume" lw.mha --above 190 --mask "$volume" --full
good lb.mha components "$volume" lb.mha --above 190 --mask "$volume" --full --blocks 2 --timing
cmp -s lw.mha lb.mha || fail "components in blocks differ"
grep -q '^read, components and write .* ms  on ' out || fail "components --blocks --timing did not tell where it ran: $(cat out)"
# Areas of equal value.
good areas.mha areas "$slice" areas.mha --stats areas.csv
objects=$(sed -n 's/^\([0-9]*\) objects$/\1/p' out)
(($(wc -l <areas.csv) == objects + 1)) || fail "the table of areas has $(wc -l <areas.csv) lines for $objects objects"
good areas3.mha areas "$volume" areas3.mha --difference 20 --full --sort --minimum-size 10 --picture areas3.png
good areasf.mha areas "$slice" areasf.mha --as float32 --difference 0.5
cmp -s areas.mha areasf.mha || fail "areas of integers and of real numbers differ"
good cmp.png compare cx.png c.png --picture cmp.png --at-least 0.999
grep -q 'P_co' out || fail "compare did not tell P_co: $(cat out)"
"$program" compare c.png c.png >out || fail "compare of equal images has status $?"
grep -q 'P_co  1.000000' out || fail "equal images do not agree: $(cat out)"
# Pictures.
for name in areas canny components dilate distance erode fill-holes function gaussian grow-labels h-convex mean median opening \
  otsu regional-maxima sobel threshold zero-crossing; do
  good p.png "$name" "$slice" p.mha --picture p.png
  rm p.png
  good p3.png "$name" "$volume" p3.mha --picture p3.png
  rm p3.png
done
good p.png hausdorff "$slice" "$slice" --above 130 --picture p.png
good p.png sobel "$volume" s3.mha --direction d3.mha --picture p.png
grep -q '^picture: angles as colours' out || fail "sobel did not tell what the colours mean: $(cat out)"

# image NAME TYPE PIXELS BYTES: a row of pixels.
image() {
  printf '%s\n' 'ObjectType = Image' 'NDims = 2' "DimSize = $3 1" "ElementType = $2" 'ElementDataFile = LOCAL' >"$1"
  printf "$4" >>"$1"
}

# drawn COLOURS COMMAND INPUT [OPTION ...]: the last pixels of the picture have these reds, greens and blues.
drawn() {
  local expected=$1 command=$2 input=$3 got
  shift 3
  good p.mha "$command" "$input" o.mha "$@" --picture p.mha
  got=$(tail -c "$(wc -w <<<"$expected")" p.mha | od -An -tu1 | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')
  [[ $got == "$expected" ]] || fail "$command drew $input as $got, not $expected"
}

# told WORDS: the last command said so.
told() { grep -q -- "$1" out || fail "'$1' was not told but: $(cat out)"; }

drawn '0 0 0 255 163 151' threshold wide.mha --lower 0
told '^picture: grey levels from -1000 to 1000; marked pixels red$'
drawn '255 51 26 255 255 255' zero-crossing wide.mha --background 7 --foreground 9
image bytes.mha MET_UCHAR 3 '\0\100\377'
drawn '0 0 0 64 64 64 255 255 255' mean bytes.mha --radius 0
[[ ! -s out ]] || fail "plain grey levels were told: $(cat out)"
image mask.mha MET_UCHAR 3 '\0\1\0'
drawn '0 0 0 255 255 255 0 0 0' mean mask.mha --radius 0
# 0, infinity and what is no number; one value alone; no number at all.
image odd.mha MET_FLOAT 4 '\0\0\0\0\0\0\200\177\0\0\300\177\0\0\200\77'
drawn '0 0 0 255 255 255 255 0 255 255 255 255' median odd.mha --radius 0
told 'what is not a number magenta (1)'
image one.mha MET_FLOAT 2 '\0\0\200\77\0\0\200\77'
drawn '128 128 128 128 128 128' median one.mha --radius 0
good p.png distance one.mha o.mha --above 5 --picture p.png
image nothing.mha MET_FLOAT 2 '\0\0\300\177\0\0\200\177'
drawn '255 0 255 255 255 255' median nothing.mha --radius 0
told 'of no finite number'
# Few bright pixels are not lost, and objects of few pixels have an inside.
image few.mha MET_USHORT 5000 "$(printf '\\0%.0s' {1..9998})\\1\\0"
drawn '0 0 0 255 255 255' median few.mha --radius 0
image dot.mha MET_UCHAR 5000 "$(printf '\\0%.0s' {1..4997})\\1\\1\\1"
good p.png distance dot.mha o.mha --picture p.png
told '^picture: colours from -'
# A label has one colour, and one below 0 another.
drawn '20 74 204 20 74 204 20 74 204' grow-labels mask.mha
image negative.mha MET_SHORT 2 '\377\377\0\0'
drawn '204 150 20 204 150 20' grow-labels negative.mha
good same.png gaussian same.png same.png
cmp -s same.png a.png || fail "reading and writing the same file differs from writing another"
good a.png gaussian "$slice" a.png --timing
grep -q '^gaussian .* ms  on ' out || fail "--timing did not tell where it ran: $(cat out)"
good a.png gaussian "$slice" a.png --repeat 3
grep -q '^median of 3 repetitions .* ms' out || fail "--repeat did not report a median: $(cat out)"
good demo.png demo "$slice" demo.png
for name in areas canny components dilate distance erode function gaussian grow-labels mean median otsu sobel threshold zero-crossing reconstruct fill-holes h-maxima; do
  grep -q "^$name " out || fail "the demonstration has no row for $name: $(cat out)"
done
"$program" --help | grep -q gaussian || fail "--help does not list gaussian"
"$program" gaussian --help | grep -q -- --variance || fail "gaussian --help does not list --variance"

# ---- Bad options
bad 2 "A subcommand is required"
bad 1 "does not compile" function "$slice" out.png --text 'x +'
bad 1 "different sizes" function "$slice" out.png --second wide.mha --text 'x + y'
bad 1 "2 dimensions and the other 3" function "$slice" out.png --second "$volume" --text 'x + y'
bad 1 "same file" statistics same.png --picture same.png
bad 1 "no-such-file" statistics no-such-file.png --picture out.png
bad 1 "no numbers" statistics nan.mha
bad 1 "infinite" statistics infinite.mha --picture out.png
bad 1 "infinite" otsu-classes infinite.mha out.png
bad 1 "fewer --bins" otsu-classes "$slice" out.png --bins 2
bad 1 "too long" otsu-classes "$slice" out.png --classes 8
bad 1 "keep labels" otsu-classes "$slice" out.jpg
bad 1 "replace an input" function "$slice" out.mha --second same.png --text 'x + y' --picture same.png
bad 2 "classes" otsu-classes "$slice" out.png --classes 1
bad 1 "NAME=NUMBER" function "$slice" out.png --set t
bad 1 "same file" grow-labels "$slice" out.mha --distance out.mha
bad 1 "keep labels up to" components "$slice" out.jpg --above 190
bad 1 "no such folder" components "$slice" out.mha --stats no-folder/out.csv
bad 1 "different sizes" components "$slice" out.mha --mask wide.mha
bad 1 "different sizes" components "$slice" out.mha --stats out.csv --intensities wide.mha
bad 1 "same file" components "$slice" out.png --picture out.png
bad 1 "same file" gaussian "$slice" out.png --picture out.png
bad 1 "same file" gaussian "$slice" out.png --picture ./out.png
bad 1 "same file" gaussian "$slice" out.mhd --picture out.nhdr
bad 1 "same file" gaussian same.png out.png --picture same.png
bad 1 "no image format" gaussian "$slice" out.png --picture out.xyz
bad 1 "there is no folder" canny "$slice" out.png --picture no-folder/out.png
bad 1 "--stats does not go with" components "$volume" out.mha --blocks 2 --stats out.csv
bad 1 "--as does not go with" components "$volume" out.mha --blocks 2 --as float32
bad 1 "cannot read" components "$volume" out.mha --blocks 2 --mask missing.mha
bad 1 "2 dimensions" components "$volume" out.mha --blocks 2 --mask wide.mha
bad 1 "in blocks" components "$slice" out.mha --blocks 2
bad 1 "in blocks" components "$volume" out.nrrd --blocks 2
head -c -5 lw.mha >early.mha
bad 1 "ends early" components early.mha out.mha --blocks 3
[[ ! -e out.mha ]] || fail "components of a file that ends early wrote something"
bad 1 "--difference" areas "$slice" out.mha --difference 0.5
bad 2 "--difference" areas "$slice" out.mha --difference -1
bad 1 "--foreground" dilate "$slice" out.mha --foreground 300
bad 1 "--foreground" dilate "$slice" out.mha --foreground 1.5
bad 2 "--radius" dilate "$slice" out.mha --radius -1
bad 2 "there is no command 'blur'" blur "$slice" out.png
bad 2 "input is required" gaussian
bad 2 "output is required" gaussian "$slice"
bad 2 "--wrong" gaussian "$slice" out.png --wrong
bad 2 "'-2' is not a number from 0 on" gaussian "$slice" out.png --variance -2
bad 2 "'two' is not a number from 0 on" gaussian "$slice" out.png --variance two
bad 2 "'nan' is not a number from 0 on" gaussian "$slice" out.png --variance nan
bad 2 "gpu not in {auto,cuda,cpu}" gaussian "$slice" out.png --backend gpu
bad 2 "is not a number between" gaussian "$slice" out.png --maximum-error 1
bad 2 "--memory-budget" gaussian "$slice" out.png --memory-budget much
bad 2 "'-1' is not a number of bytes" gaussian "$slice" out.png --memory-budget -1
bad 1 "700 is the most" gaussian "$slice" out.png --variance 800
bad 2 "'inf' is not a number from 0 on" gaussian "$slice" out.png --variance inf
bad 2 "'high' is not a number" canny "$slice" out.png --upper high
bad 2 "'nan' is not a number" canny "$slice" out.png --lower nan
bad 2 "--mask is required" reconstruct "$slice" out.png
bad 1 "marker and mask have different dimensions" reconstruct "$slice" out.png --mask "$volume"
bad 1 "Marker pixels must be" reconstruct "$slice" out.png --mask h.png
bad 1 "nowhere.png" reconstruct "$slice" out.png --mask nowhere.png
bad 2 "--strategy" reconstruct "$slice" out.png --mask "$slice" --strategy fastest
bad 2 "'-1' is not a number from 0 on" h-maxima "$slice" out.png --height -1
bad 2 "--radius" opening "$slice" out.png --radius 101
bad 1 "--variance has 3 values, but the image has 2 axes" canny "$slice" out.png --variance 1,2,3
bad 1 "--lower 9 is greater than --upper 8" threshold "$slice" out.png --lower 9 --upper 8
bad 1 "no pixel of this type is in the range" threshold "$slice" out.png --lower 300 --upper 400
bad 1 "--elevation is for images of 3 dimensions" sobel "$slice" out.png --elevation out.mha
bad 1 "cannot write 'out.png'" sobel "$slice" ok.mha --direction out.png
bad 1 "the same file" sobel "$volume" out.mha --direction out.mha
bad 1 "the same file" sobel "$volume" ok.mha --direction out.mha --elevation out.mha
bad 2 "300" zero-crossing "$slice" out.png --foreground 300
bad 2 "image is required" compare "$slice"
bad 1 "there is no such file" compare "$slice" missing.png
bad 1 "one image has 2 dimensions and the other 3" compare "$slice" "$volume"
bad 1 "different sizes" compare "$slice" wide.mha
bad 1 "one image has 2 dimensions and the other 3" hausdorff "$slice" "$volume"
bad 1 "different sizes" hausdorff "$slice" wide.mha
bad 1 "no object" hausdorff "$slice" "$slice" --above 1000
bad 1 "greater than --at-most" hausdorff "$slice" dilated.mha --above 130 --at-most 1
bad 1 "less than the" compare c.png z.png --at-least 0.9
bad 2 "complex not in" gaussian "$slice" out.png --as complex
bad 1 "multiples of 32" gaussian "$slice" out.png --block-size 33
bad 2 "--mask is required" reconstruct "$slice" out.png
bad 1 "marker and mask have different dimensions" reconstruct "$slice" out.png --mask "$volume"
bad 1 "Marker pixels must be" reconstruct "$slice" out.png --mask h.png
bad 1 "nowhere.png" reconstruct "$slice" out.png --mask nowhere.png
bad 2 "--strategy" reconstruct "$slice" out.png --mask "$slice" --strategy fastest
bad 2 "'-1' is not a number from 0 on" h-maxima "$slice" out.png --height -1
bad 2 "--radius" opening "$slice" out.png --radius 101
bad 1 "--variance has 3 values, but the image has 2 axes" gaussian "$slice" out.png --variance 1,2,3
if "$program" gaussian "$slice" probe.png --backend cuda 2>/dev/null; then
  bad 1 "99" gaussian "$slice" out.png --device 99
else
  bad 1 "--backend cuda cannot be had" gaussian "$slice" out.png --backend cuda
  [[ ! -e probe.png ]] || fail "--backend cuda without a GPU wrote a file"
fi

# ---- Bad files to read
bad 1 "there is no such file" gaussian missing.png out.png
bad 1 "it is a folder" gaussian . out.png
: >empty.png
bad 1 "the file is empty" gaussian empty.png out.png
echo "not an image" >text.png
bad 1 "not an image of a format that is known" gaussian text.png out.png
head -c 3000 "$slice" >cut.png
bad 1 "cannot read 'cut.png'" gaussian cut.png out.png
head -c 3000 c.mha >cut.mha
"$program" gaussian cut.mha warned.mha 2>err || fail "a truncated MetaImage has status $?"
grep -q "not read completely" err || fail "the reader's warning of a truncated MetaImage was not shown: $(cat err)"
cp c.mhd lonely.mhd
sed -i s/c.raw/nowhere.raw/ lonely.mhd
bad 1 "cannot read 'lonely.mhd'" gaussian lonely.mhd out.mha
head -c 3000 d.nrrd >cut.nrrd
bad 1 "cannot read 'cut.nrrd'" gaussian cut.nrrd out.nrrd
head -c 3000 e.tif >cut.tif
bad 1 "cannot" gaussian cut.tif out.tif
for name in s.bmp s.nii s.vtk; do
  good "$name" gaussian "$slice" "$name"
done
good v.tif gaussian "$volume" v.tif
# Cut so short that the libraries of the formats die of it.
for bytes in 8 20 50 100; do
  head -c $bytes "$slice" >stub.png
  bad 1 "cannot read 'stub.png'" gaussian stub.png out.png
  head -c $bytes g.jpg >stub.jpg
  bad 1 "cannot read 'stub.jpg'" gaussian stub.jpg out.png
done
# A picture of two colours, as a portable pixmap would be: 2 x 1 pixels of red and green in the MetaImage format.
printf '%s\n' 'ObjectType = Image' 'NDims = 2' 'DimSize = 2 1' 'ElementType = MET_UCHAR' 'ElementNumberOfChannels = 3' \
  'ElementDataFile = LOCAL' >color.mha
printf '\377\0\0\0\377\0' >>color.mha
bad 1 "it has 3 components per pixel" gaussian color.mha out.png
printf '%s\n' 'ObjectType = Image' 'NDims = 4' 'DimSize = 1 1 1 2' 'ElementType = MET_UCHAR' 'ElementDataFile = LOCAL' \
  >four.mha
printf 'ab' >>four.mha
bad 1 "it has 4 dimensions" gaussian four.mha out.mha

# ---- Bad places to write
bad 1 "there is no folder 'nowhere'" gaussian "$slice" nowhere/out.png
bad 1 "it is a folder" gaussian "$slice" .
bad 1 "no image format is known by the ending '.xyz'" gaussian "$slice" out.xyz
bad 1 "cannot write 'out.png'" gaussian "$slice" out.png --as float32
bad 1 "the format does not hold" gaussian "$volume" out.png
bad 1 "its pixels would go to 'c.raw'" gaussian c.mhd c.nhdr
[[ ! -e c.nhdr ]] || fail "c.nhdr was written though c.raw is another image's"
mkdir locked
chmod a-w locked
if [[ ! -w locked ]]; then
  bad 1 "cannot write into folder 'locked'" gaussian "$slice" locked/out.png
fi
if [[ -d /proc/self ]]; then
  bad 1 "cannot write into folder '/proc'" gaussian "$slice" /proc/out.png
fi

# A disk that takes 16 KiB a file, for which the limit on a file's size stands in.
good big.mha gaussian "$volume" big.mha
for output in out.png out.mha out.nrrd out.tif; do
  source=$slice
  [[ $output == out.mha || $output == out.nrrd ]] && source=$volume
  rm -f out.*
  (
    trap '' XFSZ
    ulimit -f 8
    "$program" gaussian "$source" "$output" >/dev/null 2>"$work/message"
  ) && fail "writing $output to a full disk went unnoticed"
  [[ ! -e $output ]] || fail "a full disk left a part of $output"
  grep -q "cannot write '$output'" message || fail "a full disk was told of as: $(cat message)"
  no_leftovers "writing $output to a full disk"
done

if ((failures > 0)); then
  echo "$failures failures"
  exit 1
fi
echo "all as it should be"
