// The client of one cluster over all changes of its credentials.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "core/result.h"
#include "daemon/kafka/client.h"
#include "daemon/kafka/client_files.h"
#include "daemon/kafka/deadline.h"
#include "daemon/kafka/describe.h"

namespace tidegauge {

/// When a file that the client was made from has another content, a new client is made of it, which
/// takes the old one's place once the cluster has answered it. Until then the old one asks: its
/// connections live on under the old credentials. So files may change before the brokers do or
/// after them, and one that is half written costs nothing. What is wrong with the new files is
/// logged once.
///
/// Used by one thread at a time.
class CurrentClient {
 public:
  /// Errors: kInvalid, naming the property that is wrong; those of ClientFiles::Read.
  static Result<CurrentClient> Make(ClientFiles files);

  /// Looks at the files, then asks; after it `get` is the client that was answered.
  Result<ClusterDescription> Describe(const std::set<std::string>& topics,
                                      const Deadline& deadline);

  Client& get() const { return *client_; }

 private:
  CurrentClient(ClientFiles files, ClientMaterial material, std::unique_ptr<Client> client)
      : files_(std::move(files)), seen_(std::move(material)), client_(std::move(client)) {}

  void LookAtFiles();
  void Complain(const std::string& reason);
  Result<ClusterDescription> DescribeWithNext(const std::set<std::string>& topics,
                                              const Deadline& deadline);
  void ReplaceClientThatOnlyFails();

  ClientFiles files_;
  ClientMaterial seen_;  ///< of the newest files that could be read, whatever they were good for
  std::unique_ptr<Client> client_;
  std::unique_ptr<Client> next_;  ///< of newer files than `client_`; not answered yet
  int failures_ = 0;              ///< of `client_`, in a row
  std::string complaint_;         ///< what was said last of the files, as long as it holds
};

}  // namespace tidegauge
