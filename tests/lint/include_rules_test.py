import unittest

from include_rules import problems
from tiny_tree import TinyTreeTest


class IncludeRulesTest(TinyTreeTest):
    def found(self, files):
        return problems(self.tree(files))

    def test_a_tree_that_keeps_the_rules(self):
        self.assertEqual(self.found({
            "core/model.h": "#include <string>\n",
            "core/report.h": '#include "core/model.h"\n',
            "core/checkpoint/offset_log.cc": '#include <simdjson.h>\n#include <fmt/core.h>\n',
            "core/history/ledger.h": '#include "core/report.h"\n',
            "core/cycle.h": '#include "core/history/ledger.h"\n',
            "daemon/expose/page.cc": '#include "core/model.h"\n#include "core/report.h"\n',
            "daemon/kafka/client.cc": "#include <librdkafka/rdkafka.h>\n",
            "daemon/storage/local.cc": "#include <sys/stat.h>\n#include <filesystem>\n",
            "daemon/service.h": '#include "core/cycle.h"\n',
            "daemon/commands/check.cc": '#include "daemon/service.h"\n',
            "daemon/main.cc": '#include "daemon/commands/check.h"\n',
            "daemon/commands/check.h": "",
        }), [])

    def test_core_reads_no_file(self):
        found = self.found({"core/cycle.cc": "#include <string>\n#include <fstream>\n"})
        self.assert_one(found, "core/cycle.cc:2", "<fstream>", "pure")

    def test_core_calls_no_operating_system(self):
        self.assert_one(self.found({"core/a.cc": "#include <sys/stat.h>\n"}), "pure")

    def test_a_library_has_one_folder(self):
        found = self.found({"daemon/http/server.cc": "#include <librdkafka/rdkafka.h>\n"})
        self.assert_one(found, "daemon/http/server.cc:1", "for daemon/kafka only")

    def test_the_longest_beginning_names_the_library(self):
        found = self.found({"daemon/expose/a.cc": "#include <boost/asio/post.hpp>\n"})
        self.assert_one(found, "for daemon/http only")

    def test_a_library_stays_out_of_headers(self):
        header = {"daemon/kafka/client.h": "#include <librdkafka/rdkafka.h>\n"}
        include = '#include "daemon/kafka/client.h"\n'
        self.assert_one(self.found(header), "in a header")
        self.assert_one(self.found({**header, "daemon/kafka/client.cc": include,
                                    "daemon/kafka/cluster.cc": include}), "in a header")
        self.assert_one(self.found({**header, "daemon/kafka/cluster.h": include}), "in a header")

    def test_a_header_of_one_source_file_may_have_it(self):
        self.assertEqual(self.found({
            "daemon/kafka/client.h": "#include <librdkafka/rdkafka.h>\n",
            "daemon/kafka/client.cc": '#include "daemon/kafka/client.h"\n',
        }), [])

    def test_a_library_nobody_listed(self):
        self.assert_one(self.found({"daemon/a.cc": "#include <zmq.h>\n"}), "no known library")

    def test_no_test_library_in_the_program(self):
        self.assert_one(self.found({"core/a.cc": "#include <gtest/gtest.h>\n"}), "outside tests")

    def test_core_does_not_know_the_daemon(self):
        found = self.found({
            "core/cycle.cc": '#include "daemon/storage/local.h"\n', "daemon/storage/local.h": ""})
        self.assert_one(found, "core does not know daemon")

    def test_the_program_does_not_know_its_tests(self):
        found = self.found({
            "daemon/a.cc": '#include "tests/support/fake.h"\n', "tests/support/fake.h": ""})
        self.assert_one(found, "daemon does not know tests")

    def test_a_detector_does_not_see_the_checkpoint_directory(self):
        found = self.found({
            "core/detectors/x.cc": '#include "core/checkpoint/directory.h"\n',
            "core/checkpoint/directory.h": ""})
        self.assert_one(found, "a detector sees")

    def test_a_detector_does_not_see_the_others(self):
        found = self.found({
            "core/detectors/x.cc": '#include "core/detectors/all.h"\n', "core/detectors/all.h": ""})
        self.assert_one(found, "a detector sees")

    def test_expose_sees_the_report_only(self):
        found = self.found({
            "core/report.h": "", "core/world.h": "",
            "daemon/expose/page.cc": '#include "core/world.h"\n'})
        self.assert_one(found, "expose sees report.h and plan.h only")

    def test_an_include_from_elsewhere_than_the_root(self):
        found = self.found({"core/a.cc": '#include "model.h"\n', "core/model.h": ""})
        self.assert_one(found, "from the root")

    def test_a_cycle_between_folders(self):
        found = self.found({
            "daemon/http/a.h": '#include "daemon/state/b.h"\n',
            "daemon/state/b.h": '#include "daemon/log/c.h"\n',
            "daemon/log/c.h": '#include "daemon/http/d.h"\n', "daemon/http/d.h": ""})
        self.assert_one(found, "cycle", "daemon/http -> daemon/state -> daemon/log -> daemon/http")

    def test_the_nouns_lie_below_the_folders(self):
        found = self.found({
            "core/model.h": '#include "core/topics/compare.h"\n',
            "core/topics/compare.h": '#include "core/model.h"\n'})
        self.assert_one(found, "core/model -> core/topics -> core/model")


if __name__ == "__main__":
    unittest.main()
