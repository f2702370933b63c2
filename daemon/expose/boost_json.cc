// Boost.JSON, built from its headers: Debian packages the compiled library apart.
#include <boost/json/src.hpp>
