"""deploy/kubernetes and deploy/helm: what they render is valid for each Kubernetes since 1.28, may run in a
restricted namespace, and is what the program takes."""

import json
import os
import re
import shutil
import site
import subprocess
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import yaml

from conftest import ROOT, RULES
from servers.server import free_port, wait_until

TOOLS = Path(os.environ.get("TIDEGAUGE_CACHE", Path.home() / ".cache/tidegauge")) / "kubernetes"
site.addsitedir(str(next(TOOLS.glob("lib/python3*/site-packages"), TOOLS)))

import kubernetes_validate  # noqa: E402
from cloudcoil.models.prometheus_operator.v1 import PrometheusRule, ServiceMonitor  # noqa: E402

CHART = ROOT / "deploy/helm/tidegauge"
VERSIONS = [f"1.{minor}" for minor in range(28, 38)]
CUSTOM = {"PrometheusRule": PrometheusRule, "ServiceMonitor": ServiceMonitor}
OTHER_VALUES = {
    "shards": 16, "image": {"repository": "mirror.example/tidegauge", "tag": "1.2.3"},
    "imagePullSecrets": [{"name": "mirror"}], "extraArgs": ["--web.enable-lifecycle"],
    "extraVolumes": [{"name": "ca", "configMap": {"name": "ca"}}],
    "extraVolumeMounts": [{"name": "ca", "mountPath": "/etc/ca", "readOnly": True}],
    "podAnnotations": {"a": "b"}, "nodeSelector": {"disk": "ssd"},
    "tolerations": [{"key": "ops", "operator": "Exists"}], "state": {"storageClassName": "fast"},
    "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "Exists"}]}]}}},
    "probes": {"scheme": "HTTPS"},
    "serviceMonitor": {"labels": {"release": "monitoring"}, "endpoint": {"scheme": "https"}},
    "prometheusRule": {"labels": {"release": "monitoring"}},
    "networkPolicy": {"kafkaPorts": [9095], "extraEgress": [{"ports": [{"port": 443, "protocol": "TCP"}]}]}}
BARE_VALUES = {part: {"enabled": False}
               for part in ("serviceMonitor", "prometheusRule", "dashboard", "networkPolicy")}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def kustomize(directory):
    return list(yaml.safe_load_all(run(TOOLS / "kubectl", "kustomize", directory)))


def helm(values, directory):
    file = directory / "values.yaml"
    file.write_text(json.dumps(values))
    run(TOOLS / "helm", "lint", "--strict", "--quiet", CHART, "--values", file)
    text = run(TOOLS / "helm", "template", "tidegauge", CHART, "--namespace=tidegauge", "--values", file)
    return [one for one in yaml.safe_load_all(text) if one]


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """All that can be applied, by where it is from."""
    every = {name: kustomize(ROOT / "deploy/kubernetes" / name) for name in ("base", "shards", "replicas")}
    for name, values in (("helm", {}), ("other values", OTHER_VALUES), ("bare", BARE_VALUES)):
        every[name] = helm(values, tmp_path_factory.mktemp("helm"))
    return every


def of_kind(objects, kind):
    return [one for one in objects if one["kind"] == kind]


def the(objects, kind, name="tidegauge"):
    [found] = [one for one in of_kind(objects, kind) if one["metadata"]["name"].startswith(name)]
    return found


def pods(rendered):
    return [one["spec"]["template"]["spec"] for objects in rendered.values()
            for one in of_kind(objects, "StatefulSet")]


def test_there_is_everything(rendered):
    kinds = ["ConfigMap", "ConfigMap", "Namespace", "NetworkPolicy", "PrometheusRule", "Service",
             "ServiceMonitor", "StatefulSet"]
    assert sorted(one["kind"] for one in rendered["base"]) == kinds
    assert sorted(one["kind"] for one in rendered["shards"]) == kinds
    assert sorted(one["kind"] for one in rendered["replicas"]) == sorted(
        [*kinds, "Service", "StatefulSet"])
    kinds.remove("Namespace")
    assert sorted(one["kind"] for one in rendered["helm"]) == kinds
    assert sorted(one["kind"] for one in rendered["bare"]) == ["ConfigMap", "Service", "StatefulSet"]


@pytest.mark.parametrize("version", VERSIONS)
def test_each_kubernetes_takes_it(rendered, version):
    different = {json.dumps(one) for objects in rendered.values() for one in objects
                 if one["kind"] not in CUSTOM}
    for text in different:
        kubernetes_validate.validate(json.loads(text), version, strict=True)


def test_the_validator_would_have_seen_a_mistake(rendered):
    broken = json.loads(json.dumps(the(rendered["base"], "StatefulSet")))
    broken["spec"]["template"]["spec"]["containers"][0]["securityContext"]["readOnlyRoot"] = True
    with pytest.raises(kubernetes_validate.ValidationError, match="readOnlyRoot"):
        kubernetes_validate.validate(broken, VERSIONS[-1], strict=True)


def test_the_operator_takes_its_objects_and_knows_every_word_in_them(rendered):
    for objects in rendered.values():
        for one in objects:
            if one["kind"] in CUSTOM:
                read = CUSTOM[one["kind"]].model_validate(one)
                assert read.model_dump(mode="json", by_alias=True, exclude_unset=True) == one


def test_restricted_pods(rendered):
    """What the restricted profile of the Pod Security Standards asks, and a root file system that cannot
    be written, which it does not."""
    for pod in pods(rendered):
        general = pod["securityContext"]
        assert general["runAsNonRoot"] and general["runAsUser"] == 65532
        assert general["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        assert not any(pod.get(f"host{what}") for what in ("Network", "PID", "IPC"))
        for volume in pod["volumes"]:
            [kind] = volume.keys() - {"name"}
            assert kind in ("configMap", "secret", "persistentVolumeClaim", "emptyDir")
        for container in pod["containers"]:
            assert container["securityContext"] == {"allowPrivilegeEscalation": False,
                                                    "readOnlyRootFilesystem": True,
                                                    "capabilities": {"drop": ["ALL"]}}
            assert not any("hostPort" in port for port in container["ports"])
        mounts = {mount["name"]: mount.get("readOnly") for mount in pod["containers"][0]["volumeMounts"]}
        assert mounts.items() >= {"checkpoints": True, "config": True, "secrets": True}.items()


def test_there_are_as_many_daemons_as_each_is_told(rendered):
    for objects in rendered.values():
        for one in of_kind(objects, "StatefulSet"):
            [container] = one["spec"]["template"]["spec"]["containers"]
            assert f"--shard.count={one['spec']['replicas']}" in container["args"]
            assert "--shard.index=$(POD_INDEX)" in container["args"]
            assert [variable["name"] for variable in container["env"]] == ["POD_INDEX"]
    assert {the(rendered[name], "StatefulSet")["spec"]["replicas"]
            for name in ("shards", "other values")} == {16}


def test_replicas_do_not_take_each_other_s_pods(rendered):
    sets = of_kind(rendered["replicas"], "StatefulSet")
    labels = [one["spec"]["template"]["metadata"]["labels"] for one in sets]
    for one in [*sets, *of_kind(rendered["replicas"], "Service")]:
        selector = one["spec"]["selector"]
        selector = selector.get("matchLabels", selector)
        assert [selector.items() <= pod.items() for pod in labels].count(True) == 1
    monitor = the(rendered["replicas"], "ServiceMonitor")["spec"]["selector"]["matchLabels"]
    assert all(monitor.items() <= service["metadata"]["labels"].items()
               for service in of_kind(rendered["replicas"], "Service"))
    assert [one["spec"]["serviceName"] for one in sets] == [one["metadata"]["name"] for one in sets]


def test_replicas_are_kept_apart(rendered):
    """Each counts the pods of both, or nothing would keep a from b."""
    templates = [one["spec"]["template"] for one in of_kind(rendered["replicas"], "StatefulSet")]
    assert len(templates) == 2
    for template in templates:
        [spread] = template["spec"]["topologySpreadConstraints"]
        counted = spread["labelSelector"]["matchLabels"].items()
        assert all(counted <= other["metadata"]["labels"].items() for other in templates)
        assert (spread["maxSkew"], spread["topologyKey"], spread["whenUnsatisfiable"]) == (
            1, "kubernetes.io/hostname", "DoNotSchedule")


def without_names(value):
    """What kustomize and Helm call differently on purpose: names of configurations, labels of a release."""
    if isinstance(value, dict):
        return {key: without_names(one) for key, one in value.items()
                if not re.match(r"app\.kubernetes\.io/(?!name)|checksum/", key)
                and key not in ("annotations", "namespace", "imagePullPolicy")}
    if isinstance(value, list):
        return [without_names(one) for one in value]
    return re.sub(r"^tidegauge-config-\w+$", "tidegauge", value) if isinstance(value, str) else value


@pytest.mark.parametrize("kind", ["StatefulSet", "Service", "ServiceMonitor", "PrometheusRule"])
def test_the_chart_says_what_the_base_says(rendered, kind):
    [base], [chart] = (of_kind(rendered[name], kind) for name in ("base", "helm"))
    assert without_names(chart["spec"]) == without_names(base["spec"])


def test_a_changed_configuration_restarts_the_pods(tmp_path):
    def template(config):
        [found] = of_kind(helm({"config": config}, tmp_path), "StatefulSet")
        return found["spec"]["template"]["metadata"]["annotations"]

    assert template({"poll_interval": "30s"}) != template({"poll_interval": "31s"})
    name = the(kustomize(ROOT / "deploy/kubernetes/base"), "ConfigMap", "tidegauge-config")["metadata"]["name"]
    assert re.fullmatch(r"tidegauge-config-\w{10}", name)


def test_rules_and_dashboard_are_those_that_prometheus_and_grafana_get_elsewhere(rendered):
    for name in ("base", "helm"):
        rule = the(rendered[name], "PrometheusRule")
        assert rule["spec"] == yaml.safe_load(RULES.read_text())
        dashboard = the(rendered[name], "ConfigMap", "tidegauge-dashboard")
        assert dashboard["metadata"]["labels"]["grafana_dashboard"] == "1"
        assert json.loads(dashboard["data"]["tidegauge.json"]) == json.loads(
            (ROOT / "deploy/grafana/tidegauge.json").read_text())


PAGE = (ROOT / "docs/kubernetes.md").read_text()
BLOCKS = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S)
OVERLAYS = {re.search(r"deploy/kubernetes/(\w+)", block)[1]: block
            for block in BLOCKS if block.startswith("apiVersion")}


def block_with(start):
    """The one of the page that starts so."""
    [found] = [block for block in BLOCKS if block.startswith(start)]
    return found


def patches(kind):
    """Those that the page adds to an overlay's, from the one for this kind on."""
    return block_with(f"  - target: {{kind: {kind}}}")


def render(overlay, directory):
    shutil.copytree(ROOT / "deploy", directory / "deploy", symlinks=True)
    (directory / "kustomization.yaml").write_text(overlay)
    (directory / "tidegauge.yaml").write_text("mine: true\n")
    return kustomize(directory)


@pytest.mark.parametrize("name", ["base", "shards", "replicas"])
def test_the_overlays_on_the_page_do_what_they_say(name, tmp_path):
    objects = render(OVERLAYS[name], tmp_path)
    config = the(objects, "ConfigMap", "tidegauge-config")
    assert config["data"] == {"tidegauge.yaml": "mine: true\n"}
    sets = of_kind(objects, "StatefulSet")
    assert [one["metadata"]["name"] for one in sets] == (
        ["tidegauge-a", "tidegauge-b"] if name == "replicas" else ["tidegauge"])
    for one in sets:
        pod = one["spec"]["template"]["spec"]
        assert pod["containers"][0]["image"] == "mirror.example/ops/tidegauge:0.1.0"
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        assert volumes["checkpoints"]["persistentVolumeClaim"] == {"claimName": "my-checkpoints",
                                                                   "readOnly": True}
        assert volumes["config"]["configMap"]["name"] == config["metadata"]["name"]
        count = 24 if name == "shards" else 1
        assert one["spec"]["replicas"] == count
        assert [word for word in pod["containers"][0]["args"] if "shard.count" in word] == [
            f"--shard.count={count}"]
    assert {one["metadata"]["labels"].get("release") for one in objects if one["kind"] in CUSTOM} == {
        "monitoring"}
    assert {one["metadata"].get("namespace") for one in objects if one["kind"] != "Namespace"} == {"tidegauge"}
    for one in objects:
        if one["kind"] not in CUSTOM:
            kubernetes_validate.validate(one, VERSIONS[0], strict=True)


def test_a_locked_port_and_open_ways_are_the_same_with_kustomize_and_helm(tmp_path):
    base = render(OVERLAYS["base"] + patches("StatefulSet") + patches("NetworkPolicy"), tmp_path)
    values = yaml.safe_load(block_with("extraArgs:")) | yaml.safe_load(block_with("networkPolicy:"))
    chart = helm(values, tmp_path)
    containers = []
    for objects in (base, chart):
        [container] = the(objects, "StatefulSet")["spec"]["template"]["spec"]["containers"]
        containers.append(container)
        assert container["args"][-1] == "--web.config.file=/run/secrets/tidegauge/web.yml"
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            asked = container[probe]["httpGet"]
            assert asked["scheme"] == "HTTPS" and asked["port"] == "http" and asked["path"].startswith("/-/")
            assert asked["httpHeaders"] == [{"name": "Authorization", "value": "Basic cHJvYmU6c2VjcmV0"}]
        monitor = the(objects, "ServiceMonitor")
        [endpoint] = monitor["spec"]["endpoints"]
        assert endpoint["scheme"] == "https" and endpoint["port"] == "http" and endpoint["relabelings"]
        assert endpoint["tlsConfig"]["ca"] and endpoint["basicAuth"]["password"]
        assert ServiceMonitor.model_validate(monitor).model_dump(
            mode="json", by_alias=True, exclude_unset=True) == monitor
        assert [(port["port"], port["protocol"])
                for port in the(objects, "NetworkPolicy")["spec"]["egress"][-1]["ports"]] == [
                    (443, "TCP"), (88, "TCP"), (88, "UDP")]
        for kind in ("StatefulSet", "NetworkPolicy"):
            kubernetes_validate.validate(the(objects, kind), VERSIONS[0], strict=True)
    assert [containers[0][probe] for probe in containers[0] if probe.endswith("Probe")] == [
        containers[1][probe] for probe in containers[0] if probe.endswith("Probe")]
    assert the(base, "ServiceMonitor")["spec"]["endpoints"] == the(chart, "ServiceMonitor")["spec"]["endpoints"]


def test_shards_have_the_memory_that_the_page_of_sizes_says(rendered, tmp_path):
    asked, allowed = re.search(r"ask for (\d+) MiB, allow (\d+) MiB",
                               (ROOT / "docs/scale.md").read_text()).groups()
    chart = helm(yaml.safe_load(block_with("shards:")), tmp_path)
    for objects in (rendered["shards"], chart):
        [container] = the(objects, "StatefulSet")["spec"]["template"]["spec"]["containers"]
        assert container["resources"] == {"requests": {"cpu": "50m", "memory": f"{asked}Mi"},
                                          "limits": {"memory": f"{allowed}Mi"}}
    assert the(chart, "StatefulSet")["spec"]["replicas"] == 24


def test_what_the_page_says_to_apply_is_there():
    assert re.findall(r"^kubectl apply -k (\S+)$", PAGE, re.M) == ["."]
    assert OVERLAYS.keys() == {"base", "shards", "replicas"}
    for path in re.findall(r"(?:--from-file=|tidegauge )(deploy/\S+)", PAGE):
        assert (ROOT / path).exists()


def test_what_the_page_says_to_run_in_a_pod_is_a_command(binary):
    commands = [line.split(" -- tidegauge ")[1].split() for line in PAGE.splitlines() if " -- tidegauge " in line]
    assert len(commands) > 5
    for name, *words in commands:
        text = run(binary, name, "--help")
        for flag in (word.partition("=")[0] for word in words if word.startswith("--")):
            assert re.search(rf"{flag}\b", text), f"{name} {flag}"


@pytest.fixture
def place():
    """A directory that anybody may see into."""
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        yield Path(directory)


def mount_volumes(container, config, place):
    """Directories instead of the volumes, by where they are mounted, as the kubelet leaves them."""
    paths = {mount["mountPath"]: place / mount["name"] for mount in container["volumeMounts"]}
    for path in paths.values():
        path.mkdir()
    (paths["/etc/tidegauge"] / "tidegauge.yaml").write_text(
        config.replace("/checkpoints", str(paths["/checkpoints"])))
    if os.geteuid() == 0:
        os.chown(paths["/var/lib/tidegauge"], 0, 65532)
        os.chmod(paths["/var/lib/tidegauge"], 0o2775)
    return paths


def arguments_of(container, paths, port):
    for argument in container["args"]:
        flag, _, value = argument.partition("=")
        for mounted in filter(value.startswith, paths):
            value = value.replace(mounted, str(paths[mounted]), 1)
            break
        value = value.replace("$(POD_INDEX)", "0").replace(":10977", f"127.0.0.1:{port}")
        yield f"{flag}={value}"


def status_of(probe, port):
    assert probe["httpGet"]["port"] == "http"
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{probe['httpGet']['path']}", timeout=5) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return None


NO_RIGHTS = ["setpriv", "--reuid=65532", "--regid=65532", "--clear-groups", "--no-new-privs",
             "--bounding-set=-all", "--inh-caps=-all"]


@pytest.mark.parametrize("name", ["base", "helm"])
def test_the_program_starts_as_the_pod_is_told(rendered, name, place, binary):
    """As its user, without any right."""
    [pod] = [one["spec"]["template"]["spec"] for one in of_kind(rendered[name], "StatefulSet")]
    [container] = pod["containers"]
    [config] = [one["data"]["tidegauge.yaml"] for one in of_kind(rendered[name], "ConfigMap")
                if "tidegauge.yaml" in one["data"]]
    paths = mount_volumes(container, config, place)
    run(binary, "config", "check", f"--config.file={paths['/etc/tidegauge']}/tidegauge.yaml")
    port = free_port()
    with open(binary, "rb") as program, open(place / "log", "wb") as log:
        # Its directory may be hidden from others.
        command = [f"/proc/self/fd/{program.fileno()}", *arguments_of(container, paths, port)]
        daemon = subprocess.Popen([*(NO_RIGHTS if os.geteuid() == 0 else []), *command], stderr=log,
                                  pass_fds=[program.fileno()])
    try:
        for probe in ("startupProbe", "livenessProbe"):
            wait_until(lambda p=probe: status_of(container[p], port) == 200 or daemon.poll(), probe)
        assert daemon.poll() is None, (place / "log").read_text()
        assert status_of(container["readinessProbe"], port) in (200, 503)  # there is no Kafka
        asked = [container[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "liveness", "readiness")]
        assert asked == ["/-/healthy", "/-/healthy", "/-/ready"]
        assert list(paths["/var/lib/tidegauge"].iterdir())
    finally:
        daemon.terminate()
        assert daemon.wait(10) == 0
