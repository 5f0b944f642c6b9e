import { f, type StructSchema, struct } from '@orch/schema';

/** The fields of a metric in a version, of which its type names one. */
export type MetricSources = Readonly<
  Record<'object' | 'pods' | 'resource' | 'containerResource' | 'external', StructSchema>
>;

const metricType = f.string(1, {
  doc: 'Object, Pods, Resource, ContainerResource or External.',
  presence: 'always',
});
const ofContainers = { presence: 'pointer', since: '1.27', gate: 'HPAContainerMetrics' } as const;

/** The metrics of a specification in a version. */
export const metricSpecOf = (version: string, sources: MetricSources): StructSchema =>
  struct(
    `autoscaling.${version}.MetricSpec`,
    'One metric to scale by. The field that its type names is set, and no other.',
    {
      type: metricType,
      object: f.struct(2, sources.object, { doc: 'A metric of one object.', presence: 'pointer' }),
      pods: f.struct(3, sources.pods, { doc: 'A metric of the pods.', presence: 'pointer' }),
      resource: f.struct(4, sources.resource, {
        doc: 'Use of a compute resource by the pods.',
        presence: 'pointer',
      }),
      containerResource: f.struct(7, sources.containerResource, {
        doc: 'Use of a compute resource by one container of the pods.',
        ...ofContainers,
      }),
      external: f.struct(5, sources.external, {
        doc: 'A metric from outside the cluster.',
        presence: 'pointer',
      }),
    },
  );

/** The metrics of a status in a version. */
export const metricStatusOf = (version: string, sources: MetricSources): StructSchema =>
  struct(`autoscaling.${version}.MetricStatus`, 'State of one metric, at its latest reading.', {
    type: metricType,
    object: f.struct(2, sources.object, { doc: 'State of a metric of one object.', presence: 'pointer' }),
    pods: f.struct(3, sources.pods, { doc: 'State of a metric of the pods.', presence: 'pointer' }),
    resource: f.struct(4, sources.resource, {
      doc: 'How much of a compute resource the pods use.',
      presence: 'pointer',
    }),
    containerResource: f.struct(7, sources.containerResource, {
      doc: 'How much of a compute resource one container of the pods uses.',
      ...ofContainers,
    }),
    external: f.struct(5, sources.external, {
      doc: 'State of a metric from outside the cluster.',
      presence: 'pointer',
    }),
  });
