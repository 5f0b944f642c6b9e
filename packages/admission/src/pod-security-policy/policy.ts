import type { Container, SecurityContext } from '@orch/kinds/core';
import type { PodSecurityPolicyV1beta1 } from '@orch/kinds/policy';
import { type FieldError, MAX_FIELD_ERRORS } from '@orch/machinery';
import { type AnyContainer, containersWithPaths } from '../shared/pods.ts';
import type {
  ContainerRule,
  PodDefaults,
  PodRule,
  ReviewedContainer,
  ReviewedPod,
  RuleParts,
  Rules,
} from './rule.ts';
import { appArmor } from './rules/app-armor.ts';
import { capabilities } from './rules/capabilities.ts';
import { fsGroup, runAsGroup, supplementalGroups } from './rules/groups.ts';
import { hostNamespaces, hostPorts } from './rules/host.ts';
import { privileged, privilegeEscalation, procMount, readOnlyRootFilesystem } from './rules/privileges.ts';
import { runAsUser } from './rules/run-as-user.ts';
import { runtimeClass } from './rules/runtime-class.ts';
import { seLinux } from './rules/se-linux.ts';
import { seccomp } from './rules/seccomp.ts';
import { sysctls } from './rules/sysctls.ts';
import { volumes } from './rules/volumes.ts';

/** All parts of a policy, in the order in which errors are reported. */
const PARTS: readonly ((parts: RuleParts) => Rules)[] = [
  fsGroup,
  supplementalGroups,
  seccomp,
  seLinux,
  hostNamespaces,
  sysctls,
  volumes,
  runtimeClass,
  runAsUser,
  runAsGroup,
  appArmor,
  privileged,
  procMount,
  capabilities,
  hostPorts,
  readOnlyRootFilesystem,
  privilegeEscalation,
];

/** A pod security policy, prepared for use. */
export class Policy {
  readonly name: string;
  readonly #podRules: readonly PodRule[];
  readonly #containerRules: readonly ContainerRule[];

  constructor(
    { metadata, spec = {} }: PodSecurityPolicyV1beta1,
    context: Omit<RuleParts, 'spec' | 'annotations'>,
  ) {
    this.name = metadata.name ?? '';
    const parts = { ...context, spec, annotations: metadata.annotations ?? {} };
    const rules = PARTS.map((make) => make(parts));
    this.#podRules = rules.flatMap(({ pod }) => pod ?? []);
    this.#containerRules = rules.flatMap(({ container }) => container ?? []);
  }

  /** The pod with the defaults of the policy; the same pod when they change nothing. */
  complete(pod: ReviewedPod): ReviewedPod {
    const defaults = this.#podRules.flatMap((rule) => rule.defaults?.(pod) ?? []);
    return this.#completeContainers(defaults.reduce(withDefaults, pod));
  }

  /** The first errors because of which the policy does not admit a pod; empty when it does. */
  check(pod: ReviewedPod): readonly FieldError[] {
    const found: FieldError[] = [];
    for (const error of this.#errors(pod)) if (found.push(error) === MAX_FIELD_ERRORS) break;
    return found;
  }

  *#errors(pod: ReviewedPod): Generator<FieldError> {
    for (const rule of this.#podRules) yield* rule.check?.(pod) ?? [];
    for (const { container, path } of containersWithPaths(pod.spec)) {
      const reviewed = reviewedContainer(pod, container, path);
      for (const rule of this.#containerRules) yield* rule.check(reviewed);
    }
  }

  #completeContainers(pod: ReviewedPod): ReviewedPod {
    let isChanged = false;
    const complete = <C extends AnyContainer>(container: C): C => {
      const reviewed = reviewedContainer(pod, container, '');
      const defaults = this.#containerRules.flatMap((rule) => rule.defaults?.(reviewed) ?? []);
      if (defaults.length === 0) return container;
      isChanged = true;
      return { ...container, securityContext: Object.assign({}, container.securityContext, ...defaults) };
    };
    const { initContainers, containers, ephemeralContainers, ...others } = pod.spec;
    const spec = {
      ...others,
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(complete) }),
      ...(containers === undefined ? {} : { containers: containersOf(containers).map(complete) }),
      ...(ephemeralContainers === undefined
        ? {}
        : { ephemeralContainers: ephemeralContainers.map(complete) }),
    };
    return isChanged ? { ...pod, spec } : pod;
  }
}

const containersOf = (containers: readonly Container[] | null): readonly Container[] => containers ?? [];

function withDefaults(pod: ReviewedPod, defaults: PodDefaults): ReviewedPod {
  const { annotations, securityContext, runtimeClassName } = defaults;
  return {
    annotations: annotations === undefined ? pod.annotations : { ...pod.annotations, ...annotations },
    spec: {
      ...pod.spec,
      ...(securityContext === undefined
        ? {}
        : { securityContext: { ...pod.spec.securityContext, ...securityContext } }),
      ...(runtimeClassName === undefined ? {} : { runtimeClassName }),
    },
  };
}

/** Fields that containers inherit from their pod; profiles are not among them, because annotations may name them, too. */
function reviewedContainer(pod: ReviewedPod, container: AnyContainer, path: string): ReviewedContainer {
  const { runAsUser, runAsGroup, runAsNonRoot, seLinuxOptions } = pod.spec.securityContext ?? {};
  const { securityContext: own = {} } = container;
  const inherited = { runAsUser, runAsGroup, runAsNonRoot, seLinuxOptions };
  const context = {
    ...Object.fromEntries(Object.entries(inherited).filter(([, value]) => value !== undefined)),
    ...own,
  } satisfies SecurityContext;
  return { pod, container, path, context };
}
