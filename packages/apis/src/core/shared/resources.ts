import { f, items, struct } from '@orch/schema';

export const ResourceRequirements = struct(
  'core.v1.ResourceRequirements',
  'Compute resources that are asked for and allowed.',
  {
    limits: f.map(1, items.quantity, { doc: 'The most that may be used.' }),
    requests: f.map(2, items.quantity, {
      doc: 'What is set aside. Same as the limit where only a limit is given.',
    }),
  },
);
