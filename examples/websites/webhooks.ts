import type { ApiObject, Names } from '@orch/client';
import type { AdmissionHandler } from '@orch/client/webhooks';
import { type Website, websites } from './website.ts';

const host = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** Sets the title to the host. */
const setDefaults: AdmissionHandler = ({ object }) => {
  const website = object as Website | null;
  if (website === null || website.spec.title !== undefined) return { allowed: true };
  return { allowed: true, object: { ...website, spec: { ...website.spec, title: website.spec.host } } };
};

/** Checks the host, which cannot change. */
const validate: AdmissionHandler = ({ object, oldObject }) => {
  const [now, before] = [object as Website | null, oldObject as Website | null];
  if (now === null) return { allowed: true };
  if (!host.test(now.spec.host))
    return { allowed: false, message: `spec.host: ${JSON.stringify(now.spec.host)} must be a host name` };
  if (before !== null && before.spec.host !== now.spec.host)
    return { allowed: false, message: 'spec.host: it cannot change' };
  return { allowed: true };
};

/** The webhooks by their paths. */
export const admission: Readonly<Record<string, AdmissionHandler>> = {
  '/default-website': setDefaults,
  '/validate-website': validate,
};

/** The configurations that make the server call the webhooks. */
export const webhookConfigurations = (names: Names): readonly ApiObject[] => [
  configuration(names, 'MutatingWebhookConfiguration', '/default-website'),
  configuration(names, 'ValidatingWebhookConfiguration', '/validate-website'),
];

function configuration(names: Names, kind: string, path: string): ApiObject {
  const { group, version, resource } = websites;
  return {
    apiVersion: names.apiVersion('admissionregistration', 'v1'),
    kind,
    metadata: { name: path.slice(1) },
    webhooks: [
      {
        name: `${path.slice(1)}.${group}`,
        // The authority of the service's certificate belongs here, too: `caBundle`.
        clientConfig: { service: { namespace: 'websites', name: 'webhooks', path } },
        rules: [
          {
            apiGroups: [group],
            apiVersions: [version],
            operations: ['CREATE', 'UPDATE'],
            resources: [resource],
          },
        ],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}
