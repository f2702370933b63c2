# What ships defends itself. Sanitizers bring their own checks, and do without; so do builds that are
# not optimised, where _FORTIFY_SOURCE has no effect. tests/deploy/test_hardening.py looks at the result.
if(TIDEGAUGE_SANITIZE OR NOT CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
  set(TIDEGAUGE_HARDENED OFF)
  return()
endif()
set(TIDEGAUGE_HARDENED ON)

include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong
  -fstack-clash-protection)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|i686)$")
  add_compile_options(-fcf-protection=full)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  add_compile_options(-mbranch-protection=standard)
endif()
add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
