"""A Kafka that lets nobody in without a login, and those who vouch for logins."""
