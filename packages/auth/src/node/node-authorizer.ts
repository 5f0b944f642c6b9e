import type { Names } from '@orch/machinery';
import { compileRule, eachAllowing, indexRules, resourceQuestion } from '../rbac/compiled-rule.ts';
import { defaultRbacObjects } from '../rbac/defaults/default-objects.ts';
import { policyRules } from '../rbac/policy-rule.ts';
import type { Authorizer, Decision, ResourceAttributes, UserInfo } from '../types.ts';
import type { NodeGraph } from './node-graph.ts';
import { type ReferenceKind, referenceKey } from './pod-references.ts';

const allowed: Decision = { verdict: 'allow', reason: '' };
const silent: Decision = { verdict: 'noOpinion', reason: '' };
const no = (reason: string): Decision => ({ verdict: 'noOpinion', reason: `Node: ${reason}` });

/** Reports whether the graph relates the node to the object. False may mean that the graph is not current. */
type FromGraph = (graph: NodeGraph, node: string) => boolean;

const reading: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const keeping: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete']);
const changing: ReadonlySet<string> = new Set(['update', 'patch', 'delete']);

/**
 * Authorization mode `Node`: a node has the permissions of nodes on related objects only: secrets, config maps, claims,
 * volumes and service accounts that its pods refer to; nodes, leases and CSI nodes of its name; pods that are bound to
 * it, and their statuses. A refusal waits until the graph is as new as the request, because the node may have read its
 * pod from another replica.
 */
export function nodeAuthorizer(graph: NodeGraph, names: Names): Authorizer {
  const mayNodes = nodeRules(names);
  return {
    authorize(attributes, { signal }) {
      const node = nodeNameOf(attributes.user, names);
      if (node === undefined || !attributes.isResource) return silent;
      if (!mayNodes(attributes)) return silent;
      const needed = neededOf(attributes, node, names);
      if (typeof needed !== 'function') return needed;
      const loading = graph.loaded(signal);
      if (loading === undefined && needed(graph, node)) return allowed;
      return afterAll(graph, signal, () => (needed(graph, node) ? allowed : unrelated(node, attributes)));
    },
  };
}

async function afterAll(graph: NodeGraph, signal: AbortSignal, decide: () => Decision): Promise<Decision> {
  await graph.loaded(signal);
  await graph.fresh(signal);
  return decide();
}

const unrelated = (node: string, { resource, name }: ResourceAttributes): Decision =>
  no(`no relationship found between node ${JSON.stringify(node)} and ${resource} ${JSON.stringify(name)}`);

/** Reports whether a user has the identity of a node: both the name prefix and the group of nodes. The name after it may be empty. */
export const isNode = ({ name, groups }: UserInfo, { users, userGroups }: Names): boolean =>
  name.startsWith(users.nodePrefix) && groups.includes(userGroups.nodes);

/** The name of the node whose identity the user has; undefined for other users, and for an identity without a name. */
export const nodeNameOf = (user: UserInfo, names: Names): string | undefined =>
  isNode(user, names) ? user.name.slice(names.users.nodePrefix.length) || undefined : undefined;

/** The permissions of all nodes that do not depend on the object. */
function nodeRules(names: Names): (attributes: ResourceAttributes) => boolean {
  const role = defaultRbacObjects(names, {
    // Later rules depend on objects that the graph does not have.
    isSince: () => false,
    storageMigrations: false,
    podGroups: false,
    explanations: false,
    emptyResources: false,
  }).find(({ resource, name }) => resource === 'clusterroles' && name === names.clusterRoles.node);
  const index = indexRules(policyRules(role?.content.rules).map(compileRule));
  return (attributes) => !eachAllowing(index, resourceQuestion(attributes), () => false);
}

/** A decision, or the relation that the graph has to confirm for one. */
function neededOf(attributes: ResourceAttributes, node: string, names: Names): Decision | FromGraph {
  switch (attributes.group) {
    case '':
      return neededInCore(attributes, node);
    case names.group('coordination'):
      return attributes.resource === 'leases' ? ownLease(attributes, node, names) : allowed;
    case names.group('storage'):
      return neededInStorage(attributes, node);
    default:
      return allowed;
  }
}

function neededInCore(attributes: ResourceAttributes, node: string): Decision | FromGraph {
  const { resource, subresource, namespace, name, verb } = attributes;
  switch (resource) {
    case 'secrets':
    case 'configmaps':
      return readable(attributes, resource);
    case 'persistentvolumeclaims':
      return led('persistentvolumeclaims', namespace, name);
    case 'persistentvolumes':
      return name === '' ? no('volumes can only be read by name') : (graph) => graph.hasVolume(node, name);
    case 'serviceaccounts':
      return led('serviceaccounts', namespace, name);
    case 'nodes':
      return verb === 'update' || verb === 'patch' ? own(attributes, node) : allowed;
    case 'pods':
      // A new object has no place yet; admission decides which objects a node may create.
      return subresource === '' && !changing.has(verb)
        ? allowed
        : (graph) => graph.hasPod(node, namespace, name);
    default:
      return allowed;
  }
}

function neededInStorage(attributes: ResourceAttributes, node: string): Decision | FromGraph {
  const { resource, name, verb } = attributes;
  if (resource === 'volumeattachments')
    return name === ''
      ? no('attachments can only be read by name')
      : (graph) => graph.hasAttachment(node, name);
  if (resource !== 'csinodes') return allowed;
  return verb === 'create' ? allowed : own(attributes, node);
}

const own = ({ resource, name }: ResourceAttributes, node: string): Decision =>
  name === node ? allowed : no(`node ${JSON.stringify(node)} can only access its own object of ${resource}`);

function ownLease(attributes: ResourceAttributes, node: string, names: Names): Decision {
  const { namespace, verb } = attributes;
  if (namespace !== names.namespaces.nodeLease || !keeping.has(verb))
    return no(`nodes can only access leases in the namespace ${names.namespaces.nodeLease}`);
  // The name of a new object is in its body, which authorization does not see.
  return verb === 'create' ? allowed : own(attributes, node);
}

/** Single objects only, also with `list` and `watch`: those must select the object by its name. */
function readable({ verb, namespace, name }: ResourceAttributes, kind: ReferenceKind): Decision | FromGraph {
  if (!reading.has(verb) || namespace === '' || name === '')
    return no(`${kind} can only be read individually, by name`);
  return led(kind, namespace, name);
}

function led(kind: ReferenceKind, namespace: string, name: string): Decision | FromGraph {
  if (namespace === '' || name === '') return no(`${kind} can only be accessed individually, by name`);
  const key = referenceKey(kind, namespace, name);
  return (graph, node) => graph.leadsTo(node, key);
}
