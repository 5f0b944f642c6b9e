import { f, items, struct } from '@orch/schema';

export const ResourceRequirements = struct(
  'core.v1.ResourceRequirements',
  'Requested and maximum amounts of compute resources.',
  {
    limits: f.map(1, items.quantity, { doc: 'Maximum amounts.' }),
    requests: f.map(2, items.quantity, {
      doc: 'Requested amounts. Same as the limit where only a limit is set.',
    }),
  },
);
