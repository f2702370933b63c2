// Certificates made for one test.
#pragma once

#include <string>

namespace tidegauge {

/// As PEM. The certificate is of 127.0.0.1, its own CA, and good for an hour.
struct TestCertificate {
  std::string certificate;
  std::string key;
};

TestCertificate MakeTestCertificate();

}  // namespace tidegauge
