import { type Check, containersWhere, listed, settersText, violation } from './check.ts';

/** Checks that no container is privileged. */
export const privileged: Check = (pod) => {
  const names = containersWhere(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (names.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${listed('container', names)} must not set securityContext.privileged=true`,
  };
};

/** Checks that no process of a container can gain privileges. */
export const allowPrivilegeEscalation: Check = (pod) => {
  const names = containersWhere(pod, (c) => c.securityContext?.allowPrivilegeEscalation !== false);
  if (names.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${listed('container', names)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

/** Checks that containers do not run as root: the pod requires it, or each container does. */
export const runAsNonRoot: Check = (pod) => {
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const setters = settersText(
    ofPod === false,
    containersWhere(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false),
  );
  const reason = 'runAsNonRoot != true';
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  if (ofPod === true) return undefined;
  const unset = containersWhere(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (unset.length === 0) return undefined;
  return {
    reason,
    detail: `pod or ${listed('container', unset)} must set securityContext.runAsNonRoot=true`,
  };
};

/** Checks that neither the pod nor a container sets the user root. */
export const runAsUser: Check = (pod) => {
  const setters = settersText(
    pod.spec.securityContext?.runAsUser === 0,
    containersWhere(pod, ({ securityContext }) => securityContext?.runAsUser === 0),
  );
  return violation('runAsUser=0', setters && `${setters} must not set runAsUser=0`);
};
