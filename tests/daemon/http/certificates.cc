#include "tests/daemon/http/certificates.h"

#include <memory>

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace tidegauge {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

std::string TextOf(BIO& bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(&bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace

TestCertificate MakeTestCertificate() {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> own(X509_new(), X509_free);
  X509_set_version(own.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(own.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(own.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(own.get()), 3600);
  X509_set_pubkey(own.get(), key.get());
  X509_NAME* name = X509_get_subject_name(own.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
  X509_set_issuer_name(own.get(), name);
  const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> san(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1"),
      X509_EXTENSION_free);
  X509_add_ext(own.get(), san.get(), -1);
  X509_sign(own.get(), key.get(), EVP_sha256());
  const Bio certificate(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_X509(certificate.get(), own.get());
  const Bio private_key(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_PrivateKey(private_key.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {TextOf(*certificate), TextOf(*private_key)};
}

}  // namespace tidegauge
