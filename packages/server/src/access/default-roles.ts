import { atLeast, type IncludesPart } from '@orch/apis';
import {
  compileRule,
  type DefaultRbacObject,
  defaultRbacObjects,
  policyRules,
  type RoleOrBinding,
  uncoveredRules,
} from '@orch/auth';
import type { Draft } from '@orch/kinds/draft';
import type { AggregationRule } from '@orch/kinds/rbac';
import { jsonEquals } from '@orch/machinery/json';
import { type ServerContext, unlessUnreadable } from '@orch/registry';

/** Default roles also depend on feature gates. */
interface RolesContext extends ServerContext {
  readonly served: { readonly includes: IncludesPart };
}

/**
 * Creates missing default roles and bindings, and adds missing permissions, subjects, labels and annotations to existing
 * ones (access-control document, 5.13); nothing is removed. Objects whose annotation disables updates are not changed.
 * Safe to run on many replicas at once; needs the store and the system namespaces only.
 */
export async function createDefaultRoles(context: RolesContext, signal: AbortSignal): Promise<void> {
  const { names, release } = context;
  // All four kinds are served, or none.
  if (context.objects.resource('rbac', 'clusterroles') === undefined) return;
  const objects = defaultRbacObjects(names, {
    isSince: (other) => atLeast(release, other),
    isServed: context.served.includes,
    storageMigrations: context.objects.resource('storagemigration', 'storageversionmigrations') !== undefined,
    podGroups: context.objects.resource('scheduling', 'podgroups') !== undefined,
    explanations: true,
    emptyResources: true,
  });
  const { log } = context.env;
  await Promise.all(objects.map((object) => unlessUnreadable(log, ensure(context, object, signal))));
}

async function ensure(
  context: ServerContext,
  { resource: resourceName, namespace, name, content }: DefaultRbacObject,
  signal: AbortSignal,
): Promise<void> {
  const resource = context.objects.resource('rbac', resourceName);
  if (resource === undefined) return;
  const own = { namespace, name };
  const stored = await resource.read(own, signal);
  if (stored === undefined) {
    if (await resource.create(own, content, signal)) return;
  } else {
    const present = stored.object;
    if (!needsUpdate(present, content, context)) return;
    // The role of a binding is immutable.
    if (bindsElse(present, content)) {
      await resource.removeAt(own, stored.revision, signal);
      await resource.create(own, content, signal);
      return;
    }
  }
  await resource.change(
    own,
    (current) => {
      if (!bindsElse(current, content) && needsUpdate(current, content, context)) complete(current, content);
    },
    signal,
  );
}

function needsUpdate(present: RoleOrBinding, wanted: RoleOrBinding, { names }: ServerContext): boolean {
  if (present.metadata.annotations?.[names.annotations.rbacAutoupdate] === 'false') return false;
  if (bindsElse(present, wanted)) return true;
  const completed = structuredClone(present);
  complete(completed, wanted);
  return !jsonEquals(completed, present);
}

const bindsElse = (present: RoleOrBinding, wanted: RoleOrBinding): boolean =>
  wanted.roleRef !== undefined && !jsonEquals(present.roleRef, wanted.roleRef);

/** Adds what is missing. Existing labels and annotations keep their values. */
function complete(present: Draft<RoleOrBinding>, wanted: RoleOrBinding): void {
  const { metadata } = present;
  metadata.labels = { ...wanted.metadata.labels, ...metadata.labels };
  metadata.annotations = { ...wanted.metadata.annotations, ...metadata.annotations };
  const { aggregationRule, subjects } = wanted;
  if (aggregationRule !== undefined) completeSelectors(present, aggregationRule);
  else if ('rules' in wanted) completeRules(present, wanted);
  if (subjects !== undefined) present.subjects = union(present.subjects, subjects);
}

function completeRules(present: Draft<RoleOrBinding>, { rules: wanted }: RoleOrBinding): void {
  const rules = present.rules ?? [];
  const { missing, tooLarge } = uncoveredRules(policyRules(wanted), policyRules(rules).map(compileRule));
  if (tooLarge) present.rules = union(rules, wanted ?? []);
  else if (missing.length > 0) present.rules = [...rules, ...missing.map(withoutEmpty)];
}

function completeSelectors(present: Draft<RoleOrBinding>, wanted: AggregationRule): void {
  const there = present.aggregationRule;
  const clusterRoleSelectors = union(there?.clusterRoleSelectors, wanted.clusterRoleSelectors ?? []);
  present.aggregationRule = { ...there, clusterRoleSelectors };
}

function union<T>(all: readonly T[] = [], wanted: readonly T[]): readonly T[] {
  return [...all, ...wanted.filter((one) => !all.some((other) => jsonEquals(one, other)))];
}

const withoutEmpty = (rule: object): object =>
  Object.fromEntries(Object.entries(rule).filter(([, words]) => words.length > 0));
