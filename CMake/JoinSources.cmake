# cudafilters_join_sources(FILE SOURCE ...): writes FILE, which includes the sources, so that what they instantiate is
# compiled once. Unlike those of UNITY_BUILD, the file does not depend on the folder of the checkout, and the cache of a
# compiler serves all checkouts. The sources are named relative to a folder where the compiler searches for headers.
function(cudafilters_join_sources file)
  list(TRANSFORM ARGN REPLACE ".+" "#include \"\\0\"\n" OUTPUT_VARIABLE lines)
  list(JOIN lines "" content)
  file(CONFIGURE OUTPUT ${file} CONTENT "${content}" @ONLY)
endfunction()
