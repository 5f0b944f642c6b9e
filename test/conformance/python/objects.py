"""Works with objects as programs in Python do, and prints one line of JSON for each step.

The arguments are the path of a client configuration and a namespace.
"""

import json
import queue
import sys

from kubernetes import client, config, dynamic, utils, watch
from kubernetes.client.exceptions import ApiException
from kubernetes.informer import SharedInformer
from kubernetes.leaderelection.electionconfig import Config
from kubernetes.leaderelection.leaderelection import LeaderElection
from kubernetes.leaderelection.resourcelock.leaselock import LeaseLock

config.load_kube_config(sys.argv[1])
namespace = sys.argv[2]
core, apps = client.CoreV1Api(), client.AppsV1Api()
LONGEST = 30


def show(step, **fields):
    print(json.dumps({"step": step, **fields}), flush=True)


def refusal(action, *args, **options):
    """The status and the reason with which the server refuses an action."""
    try:
        action(*args, **options)
    except ApiException as error:
        return [error.status, json.loads(error.body)["reason"]]
    return None


def deployment(name):
    container = client.V1Container(name="web", image="web:1", ports=[client.V1ContainerPort(container_port=80)])
    template = client.V1PodTemplateSpec(
        metadata=client.V1ObjectMeta(labels={"app": name}), spec=client.V1PodSpec(containers=[container])
    )
    selector = client.V1LabelSelector(match_labels={"app": name})
    spec = client.V1DeploymentSpec(replicas=2, selector=selector, template=template)
    return client.V1Deployment(metadata=client.V1ObjectMeta(name=name), spec=spec)


def typed():
    version = client.VersionApi().get_code()
    show("version", release=f"{version.major}.{version.minor}")
    created = apps.create_namespaced_deployment(namespace, deployment("web"))
    show("create", strategy=created.spec.strategy.type, generation=created.metadata.generation)
    show("exists", refused=refusal(apps.create_namespaced_deployment, namespace, deployment("web")))
    unknown = {"spec": {"unknown": 1}}
    patch = apps.patch_namespaced_deployment
    show("strict", refused=refusal(patch, "web", namespace, unknown, field_validation="Strict"))

    image = {"spec": {"template": {"spec": {"containers": [{"name": "web", "image": "web:2"}]}}}}
    patched = apps.patch_namespaced_deployment("web", namespace, image)
    container = patched.spec.template.spec.containers[0]
    show("strategic merge", image=container.image, ports=[port.container_port for port in container.ports])
    operations = [{"op": "replace", "path": "/spec/replicas", "value": 3}]
    show("json patch", replicas=apps.patch_namespaced_deployment("web", namespace, operations).spec.replicas)
    created.metadata.annotations = {"stale": "true"}
    show("stale", refused=refusal(apps.replace_namespaced_deployment, "web", namespace, created))
    scale = apps.read_namespaced_deployment_scale("web", namespace)
    scale.spec.replicas = 4
    show("scale", replicas=apps.replace_namespaced_deployment_scale("web", namespace, scale).spec.replicas)


def pages():
    for number in range(5):
        core.create_namespaced_config_map(namespace, client.V1ConfigMap(metadata={"name": f"page-{number}"}))
    seen, token = [], None
    while token != "":
        page = core.list_namespaced_config_map(namespace, limit=2, _continue=token)
        seen.append([one.metadata.name for one in page.items if one.metadata.name.startswith("page-")])
        token = page.metadata._continue or ""
    show("pages", names=sorted(sum(seen, [])), largest=max(map(len, seen)))
    core.delete_collection_namespaced_config_map(namespace)


def tokens():
    core.create_namespaced_service_account(namespace, client.V1ServiceAccount(metadata={"name": "robot"}))
    spec = client.V1TokenRequestSpec(audiences=[], expiration_seconds=3600)
    request = client.AuthenticationV1TokenRequest(spec=spec)
    issued = core.create_namespaced_service_account_token("robot", namespace, request)
    own = client.Configuration.get_default_copy()
    own.api_key = {"BearerToken": f"Bearer {issued.status.token}"}
    own.cert_file = own.key_file = own.refresh_api_key_hook = None
    robot = client.ApiClient(own)
    review = client.AuthenticationV1Api(robot).create_self_subject_review(client.V1SelfSubjectReview())
    show("token", user=review.status.user_info.username)
    show("forbidden", refused=refusal(client.CoreV1Api(robot).list_namespaced_secret, namespace))
    attributes = client.V1ResourceAttributes(verb="list", resource="secrets", namespace=namespace)
    access = client.V1SelfSubjectAccessReview(spec=client.V1SelfSubjectAccessReviewSpec(resource_attributes=attributes))
    answer = client.AuthorizationV1Api(robot).create_self_subject_access_review(access)
    show("access", allowed=answer.status.allowed)


def watches():
    start = core.list_namespaced_config_map(namespace).metadata.resource_version
    core.create_namespaced_config_map(namespace, client.V1ConfigMap(metadata={"name": "watched"}))
    core.patch_namespaced_config_map("watched", namespace, {"data": {"k": "ä✓"}})
    core.delete_namespaced_config_map("watched", namespace)
    seen = []
    options = {"resource_version": start, "field_selector": "metadata.name=watched", "timeout_seconds": LONGEST}
    events = watch.Watch()
    for event in events.stream(core.list_namespaced_config_map, namespace, **options):
        seen.append([event["type"], event["object"].data])
        if event["type"] == "DELETED":
            events.stop()
    show("watch", events=seen)


def informs():
    seen = queue.Queue()
    informer = SharedInformer(core.list_namespaced_config_map, namespace=namespace, label_selector="informed")
    for kind in ("ADDED", "MODIFIED", "DELETED"):
        informer.add_event_handler(kind, lambda one, kind=kind: seen.put([kind, one.metadata.name]))
    labelled = {"name": "first", "labels": {"informed": ""}}
    core.create_namespaced_config_map(namespace, client.V1ConfigMap(metadata=labelled))
    informer.start()
    events = [seen.get(timeout=LONGEST)]
    core.create_namespaced_config_map(namespace, client.V1ConfigMap(metadata={**labelled, "name": "second"}))
    events.append(seen.get(timeout=LONGEST))
    core.patch_namespaced_config_map("first", namespace, {"metadata": {"labels": {"informed": None}}})
    events.append(seen.get(timeout=LONGEST))
    show("informer", events=events, cached=[one.metadata.name for one in informer.cache.list()])
    # The watch ends with its next event.
    core.delete_namespaced_config_map("second", namespace)
    events.append(seen.get(timeout=LONGEST))


def untyped():
    resources = dynamic.DynamicClient(client.ApiClient())
    group = "tour.example.com"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"plural": "engines", "singular": "engine", "kind": "Engine"}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"engines.{group}"},
        "spec": {"group": group, "scope": "Namespaced", "names": names, "versions": [version]},
    }
    utils.create_from_dict(client.ApiClient(), definition)
    definitions = client.ApiextensionsV1Api()
    stream = watch.Watch()
    for event in stream.stream(
        definitions.list_custom_resource_definition,
        field_selector=f"metadata.name=engines.{group}",
        timeout_seconds=LONGEST,
    ):
        conditions = (event["object"].status and event["object"].status.conditions) or []
        if any(one.type == "Established" and one.status == "True" for one in conditions):
            stream.stop()
    engines = resources.resources.get(api_version=f"{group}/v1", kind="Engine")
    body = {"apiVersion": f"{group}/v1", "kind": "Engine", "metadata": {"name": "one"}, "spec": {"cylinders": 4}}
    applied = engines.server_side_apply(namespace=namespace, body=body, name="one", field_manager="tour")
    managers = [[entry.manager, entry.operation] for entry in applied.metadata.managedFields]
    show("apply", cylinders=applied.spec.cylinders, managers=managers)
    custom = client.CustomObjectsApi().list_namespaced_custom_object(group, "v1", namespace, "engines")
    show("custom", names=[one["metadata"]["name"] for one in custom["items"]])
    show("absent", refused=refusal(engines.delete, name="two", namespace=namespace))
    known = {one.kind for one in resources.resources.search()}
    show("discovery", kinds=sorted(known & {"Engine", "ServiceCIDR", "MutatingAdmissionPolicy", "ResourceClaim", "Pod"}))


def elects():
    lock = LeaseLock("tour", namespace, "me")
    election = Config(
        lock, lease_duration=15, renew_deadline=10, retry_period=5, onstarted_leading=lambda: None, onstopped_leading=lambda: None
    )
    won = LeaderElection(election).try_acquire_or_renew()
    again = LeaderElection(election).try_acquire_or_renew()
    lease = client.CoordinationV1Api().read_namespaced_lease("tour", namespace)
    show("election", won=won, again=again, holder=lease.spec.holder_identity)


def deletes():
    answer = apps.delete_namespaced_deployment("web", namespace, propagation_policy="Background")
    show("delete", status=answer["status"], name=answer["details"]["name"])
    show("deleted", refused=refusal(apps.read_namespaced_deployment, "web", namespace))


for step in (typed, pages, tokens, watches, informs, untyped, elects, deletes):
    step()
