import type { AdmissionPlugin } from '@orch/admission';
import { every, type PlantedDefect } from './planted-defect.ts';
import { withoutPart } from './registry-defects.ts';

/** The plugin is as another one for some writes. */
const replacing =
  (name: string, other: (plugin: AdmissionPlugin) => Partial<AdmissionPlugin>) =>
  (plugins: readonly AdmissionPlugin[]): readonly AdmissionPlugin[] =>
    plugins.map((plugin) => (plugin.name === name ? { ...plugin, ...other(plugin) } : plugin));

export const admissionDefects: readonly PlantedDefect[] = [
  {
    what: 'admission: a failure of a webhook is ignored, whatever its failure policy',
    make: () => ({
      request: withoutPart('POST', ({ webhooks = [] }) => {
        for (const webhook of webhooks) webhook.failurePolicy = 'Ignore';
      }),
    }),
  },
  {
    what: 'admission: a failure of a webhook refuses writes, whatever its failure policy',
    make: () => ({
      request: withoutPart('POST', ({ webhooks = [] }) => {
        for (const webhook of webhooks) webhook.failurePolicy = 'Fail';
      }),
    }),
  },
  {
    what: 'admission: one of ten writes is not sent to the validating webhooks',
    make: () => {
      const isLost = every(10);
      const plugins = replacing('ValidatingAdmissionWebhook', ({ validate }) => ({
        validate: async (write) => (isLost() ? undefined : await validate?.(write)),
      }));
      return { plugins };
    },
  },
  {
    what: 'policies: a write without the parameter of the policy is allowed',
    make: () => ({
      request: withoutPart('POST', ({ spec }) => {
        if (spec?.paramRef !== undefined) spec.paramRef.parameterNotFoundAction = 'Allow';
      }),
    }),
  },
  {
    what: 'policies: one of ten writes is not evaluated',
    make: () => {
      const isLost = every(10);
      const plugins = replacing('ValidatingAdmissionPolicy', ({ validate }) => ({
        validate: async (write) => (isLost() ? undefined : await validate?.(write)),
      }));
      return { plugins };
    },
  },
];
