import type { DaemonSet } from '@orch/kinds/apps';
import type { Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { templateWarnings } from '../../core/shared/pod-spec/warnings/pod.ts';
import { sortedMap } from '../../ordered.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, restoreAllButStatus, statusRules } from '../../status-strategy.ts';
import { workloadStrategy } from '../shared/strategy.ts';
import { checkSelectorKept, validateWorkload } from '../shared/validation/workload.ts';
import { validateDaemonSetStatus } from './validation.ts';

const positive = /^[1-9]\d{0,18}$/;

const templateGeneration = (set: DaemonSet, names: Names): string | undefined =>
  set.metadata.annotations?.[names.annotations.daemonSetTemplateGeneration];

function setTemplateGeneration(set: DaemonSet, names: Names, value: string | undefined): void {
  const key = names.annotations.daemonSetTemplateGeneration;
  const { [key]: _, ...others } = set.metadata.annotations ?? {};
  const annotations = value === undefined ? others : sortedMap({ ...others, [key]: value });
  if (Object.keys(annotations).length > 0) set.metadata.annotations = annotations;
  else delete set.metadata.annotations;
}

/** The annotation counts the changes of the template; the server maintains it, as `metadata.generation`. */
function countTemplates(next: DaemonSet, old: DaemonSet, names: Names): void {
  const before = templateGeneration(old, names);
  const same = jsonEquals(next.spec?.template, old.spec?.template);
  const known = before !== undefined && positive.test(before);
  setTemplateGeneration(next, names, same ? before : String(known ? BigInt(before) + 1n : 1n));
}

export const daemonSetStrategy: Strategy = workloadStrategy({
  prepareForCreate(next, { names }) {
    if (!positive.test(templateGeneration(next, names) ?? '')) setTemplateGeneration(next, names, '1');
  },
  prepareForUpdate(next, old, context) {
    keepStatus(next, old, context);
    countTemplates(next, old, context.names);
  },
  validate: (next, old, context) => [
    ...validateWorkload(next, 'DaemonSet'),
    ...checkSelectorKept(next, old, context),
  ],
  warnings: (next: DaemonSet, old, context) =>
    old !== undefined && templateGeneration(next, context.names) === templateGeneration(old, context.names)
      ? []
      : templateWarnings('spec.template', next.spec?.template, context),
  through: {
    status: {
      ...statusRules(validateDaemonSetStatus),
      prepareForUpdate(next, old, { names }) {
        restoreAllButStatus(next, old);
        setTemplateGeneration(next, names, templateGeneration(old, names));
      },
    },
  },
});
