"""A real broker with a listener for each way in, which allows nobody anything by default."""

from pathlib import Path

from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import (
    AclBinding, AclBindingFilter, AclOperation, AclPermissionType, AdminClient, NewTopic,
    ResourcePatternType, ResourceType, ScramCredentialInfo, ScramMechanism,
    UserScramCredentialUpsertion)

from locked.issuer import AUDIENCE, ISSUER
from locked.realm import REALM
from support.broker import Broker
from support.process import free_ports, wait_until

TIMEOUT = 15

# Who comes in by the first listener, on which the controller and the tests themselves are, may all.
# The others are named after the protocol. `gauge-plain` is known to PLAIN alone.
PROPERTIES = """
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller},\
CLEAR://localhost:{clear},TLS://localhost:{tls},MUTUAL://localhost:{mutual}
advertised.listeners=PLAINTEXT://127.0.0.1:{port},\
CLEAR://localhost:{clear},TLS://localhost:{tls},MUTUAL://localhost:{mutual}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,\
CLEAR:SASL_PLAINTEXT,TLS:SASL_SSL,MUTUAL:SSL
inter.broker.listener.name=PLAINTEXT
auto.create.topics.enable=true
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
ssl.keystore.type=PEM
ssl.keystore.location={keystore}
ssl.truststore.type=PEM
ssl.truststore.location={ca}
listener.name.mutual.ssl.client.auth=required
sasl.enabled.mechanisms=SCRAM-SHA-512,PLAIN,OAUTHBEARER,GSSAPI
sasl.kerberos.service.name=kafka
sasl.oauthbearer.jwks.endpoint.url={keys}
sasl.oauthbearer.expected.audience={audience}
sasl.oauthbearer.expected.issuer={issuer}
"""
# In the clear whoever is in has to prove it again after a while.
REAUTHENTICATION = """
listener.name.clear.scram-sha-512.connections.max.reauth.ms={reauthentication}
listener.name.clear.oauthbearer.connections.max.reauth.ms={reauthentication}
listener.name.clear.gssapi.connections.max.reauth.ms={reauthentication}
"""
REAUTHENTICATION_MS = 2000
OF_A_LISTENER = """
listener.name.{name}.scram-sha-512.sasl.jaas.config=\
org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.{name}.plain.sasl.jaas.config=\
org.apache.kafka.common.security.plain.PlainLoginModule required {plain};
listener.name.{name}.oauthbearer.sasl.jaas.config=\
org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;
listener.name.{name}.oauthbearer.sasl.server.callback.handler.class=\
org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler
listener.name.{name}.gssapi.sasl.jaas.config=\
com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true \
keyTab="{keytab}" principal="kafka/localhost@{realm}";
"""


class LockedBroker(Broker):
    def __init__(self, jars: Path, directory: Path, authority, certificate, realm, issuer, plain):
        """`certificate`: its own, and its key. `plain`: {user: password} of PLAIN."""
        directory.mkdir(parents=True)
        keystore = directory / "keystore.pem"
        keystore.write_text("".join(part.read_text() for part in reversed(certificate)))
        ports = dict(zip(("clear", "tls", "mutual"), free_ports(3)))
        self._ports = ports
        self._words = {
            **ports, "reauthentication": REAUTHENTICATION_MS, "keystore": keystore, "ca": authority.certificate, "keys": issuer.key_url,
            "audience": AUDIENCE, "issuer": ISSUER, "realm": REALM,
            "keytab": realm.keytab("kafka/localhost"),
            "plain": " ".join(f'user_{user}="{password}"' for user, password in plain.items())}
        super().__init__(jars, directory / "kafka", options=[
            f"-Djava.security.krb5.conf={realm.krb5_conf}",
            f"-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={issuer.key_url}"])
        self._admin = None

    def _settings(self):
        text = PROPERTIES + REAUTHENTICATION + "".join(OF_A_LISTENER.replace("{name}", name)
                                    for name in ("clear", "tls"))
        return super()._settings() + text.format(
            port=self.port, controller=self._controller, **self._words)

    def listener(self, name):
        """The address of the listener clear, tls or mutual."""
        return f"localhost:{self._ports[name]}"

    def start(self):
        super().start()
        self._admin = AdminClient({"bootstrap.servers": self.address, "log_level": 0})

    @staticmethod
    def _all(futures):
        return [future.result(TIMEOUT) for future in futures.values()]

    def create(self, topic, **options):
        """With one partition."""
        self._all(self._admin.create_topics([NewTopic(topic, 1, 1, **options)]))
        wait_until(lambda: topic in self.topics(), f"{topic} is there")

    def produce(self, topic, count):
        producer = Producer({"bootstrap.servers": self.address, "log_level": 0})
        for number in range(count):
            producer.produce(topic, str(number))
        assert producer.flush(TIMEOUT) == 0, f"{topic} did not take all records"

    def topics(self):
        return set(self._admin.list_topics(timeout=TIMEOUT).topics)

    @staticmethod
    def _rule(make, user, operation, resource, name):
        return make(ResourceType[resource], name, ResourcePatternType.LITERAL, f"User:{user}", "*",
                    AclOperation[operation], AclPermissionType.ALLOW)

    def _wait_for_rules(self, count, rule):
        """A rule is there when the controller says so, and holds when the broker knows it."""
        wait_until(lambda: len(self._admin.describe_acls(rule).result(TIMEOUT)) == count,
                   f"{count} of {rule}")

    def allow(self, user, operation, name, resource="TOPIC"):
        self._all(self._admin.create_acls(
            [self._rule(AclBinding, user, operation, resource, name)]))
        self._wait_for_rules(1, self._rule(AclBindingFilter, user, operation, resource, name))

    def revoke(self, user, operation, name, resource="TOPIC"):
        rule = self._rule(AclBindingFilter, user, operation, resource, name)
        (gone,) = self._all(self._admin.delete_acls([rule]))
        assert len(gone) == 1, f"{user} had no {operation} on {name}"
        self._wait_for_rules(0, rule)

    def rules_of(self, user):
        """The operations that are allowed to `user`, by topic."""
        rules = self._admin.describe_acls(AclBindingFilter(
            ResourceType.TOPIC, None, ResourcePatternType.ANY, f"User:{user}", None,
            AclOperation.ANY, AclPermissionType.ALLOW)).result(TIMEOUT)
        return {(rule.name, rule.operation.name) for rule in rules}

    def set_password(self, user, password):
        """Of SCRAM-SHA-512; others than this one no longer let `user` in."""
        self._all(self._admin.alter_user_scram_credentials([UserScramCredentialUpsertion(
            user, ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), password.encode())]))
        wait_until(lambda: self._lets_in(user, password), f"{user} may come in")

    def _lets_in(self, user, password):
        visitor = AdminClient({
            "bootstrap.servers": self.listener("clear"), "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "SCRAM-SHA-512", "sasl.username": user, "sasl.password": password,
            "log_level": 0})
        try:
            visitor.list_topics(timeout=1)
            return True
        except KafkaException:
            return False
