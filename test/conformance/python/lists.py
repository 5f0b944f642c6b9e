"""Reads every list of the typed client, writes each object back as it was read, and prints one line of JSON for each list.

The argument is the path of a client configuration.
"""

import inspect
import json
import sys

from kubernetes import client, config
from kubernetes.client.exceptions import ApiException

config.load_kube_config(sys.argv[1])


def lists(api):
    """The methods that list a kind in all namespaces."""
    for name in dir(api):
        if not name.startswith("list_") or name.endswith(("_with_http_info", "_without_preload_content")):
            continue
        method = getattr(api, name)
        required = [one for one in inspect.signature(method).parameters.values() if one.default is one.empty]
        if not any(one.kind is one.POSITIONAL_OR_KEYWORD for one in required):
            yield name, method


def write_back(api, listed, item):
    """The difference that it makes to write an object back, or nothing."""
    kind = listed.removeprefix("list_").removesuffix("_for_all_namespaces")
    name, namespace = item.metadata.name, item.metadata.namespace
    scope, place = ("namespaced_", (name, namespace)) if namespace else ("", (name,))
    replace = getattr(api, f"replace_{scope}{kind}", None)
    if replace is None:
        return None
    try:
        written = replace(*place, item)
    except ApiException as refusal:
        return f"{name}: {refusal.status} {refusal.body}"
    except ValueError as error:
        return f"{name}: {error}"
    before, after = (one.metadata.resource_version for one in (item, written))
    return None if before == after else f"{name}: changed from {item} to {written}"


for owner in sorted(name for name in dir(client) if name.endswith("Api") and name != "CustomObjectsApi"):
    api = getattr(client, owner)()
    for name, method in lists(api):
        try:
            found = method()
        except ApiException as refusal:
            print(json.dumps({"method": f"{owner}.{name}", "refused": refusal.status}))
            continue
        except ValueError as error:
            print(json.dumps({"method": f"{owner}.{name}", "undecoded": str(error)}))
            continue
        changes = [write_back(api, name, item) for item in found.items]
        print(
            json.dumps(
                {
                    "method": f"{owner}.{name}",
                    "apiVersion": found.api_version,
                    "kind": found.kind,
                    "objects": sorted(f"{one.metadata.namespace or ''}/{one.metadata.name}" for one in found.items),
                    "changes": [change for change in changes if change is not None],
                }
            )
        )
