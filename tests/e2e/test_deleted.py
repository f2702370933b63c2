"""A topic is deleted, and nobody creates it again."""

import pytest


@pytest.mark.parametrize("fail_on_data_loss", [True, False], ids=["fail", "go_on"])
def test_deleted(lab, topics, daemon, fail_on_data_loss):
    query = lab.consumed(f"deleted_{fail_on_data_loss}", [50],
                         fail_on_data_loss=fail_on_data_loss)
    topics.delete(query.topic)

    lab.found(query, "topic_missing")
    # The broker creates topics that are asked for in the wrong way.
    daemon.wait_polls(3)
    assert lab.kinds(query) == ["topic_missing"]
    assert query.topic not in topics.names()
    assert "does not host this topic-partition" in lab.judge(query)


def test_deleted_and_back(lab, topics, daemon):
    query = lab.consumed("deleted_and_back", [50])
    topics.delete(query.topic)
    lab.found(query, "topic_missing")
    topics.create(query.topic)
    topics.produce(query.topic, [80])
    lab.found(query, "topic_recreated", direction="above", records=50)
    daemon.wait_gone("topic_missing", query.name)
    assert lab.judge(query) is None
