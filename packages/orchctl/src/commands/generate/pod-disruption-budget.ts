import { parseLabelSelector, SelectorError } from '@orch/machinery/selectors';
import { textFlag, UsageError } from '@orch/program/flags';
import { generator, newMetadata, section } from './generator.ts';

export const podDisruptionBudget = generator({
  usage:
    'poddisruptionbudget NAME --selector=SELECTOR (--min-available=COUNT | --max-unavailable=COUNT) [flags]',
  about: 'Creates a pod disruption budget. A count may be a percentage.',
  examples: [
    {
      comment: 'At least one pod',
      line: 'orchctl create poddisruptionbudget web --selector=app=web --min-available=1',
    },
    { comment: 'Half of them', line: 'orchctl create pdb web --selector=app=web --max-unavailable=50%' },
  ],
  flags: {
    selector: textFlag({ name: 'selector', help: 'The label selector of the pods.', section }),
    minAvailable: textFlag({ name: 'min-available', help: 'The minimum number of available pods.', section }),
    maxUnavailable: textFlag({
      name: 'max-unavailable',
      help: 'The maximum number of unavailable pods.',
      section,
    }),
  },
  isNamespaced: true,
  build({ name, flags: { selector, minAvailable, maxUnavailable } }) {
    if (selector === '') throw new UsageError('a selector must be specified');
    if (minAvailable === '' && maxUnavailable === '')
      throw new UsageError('one of min-available or max-unavailable must be specified');
    if (minAvailable !== '' && maxUnavailable !== '')
      throw new UsageError('min-available and max-unavailable cannot be both specified');
    const limit =
      minAvailable === ''
        ? { maxUnavailable: countOf('max-unavailable', maxUnavailable) }
        : { minAvailable: countOf('min-available', minAvailable) };
    return {
      ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: newMetadata(name) },
      spec: { ...limit, selector: selectorOf(selector) },
      status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
    };
  },
});

function countOf(flag: string, text: string): number | string {
  if (!/^\d+%?$/.test(text)) throw new UsageError(`invalid format specified for ${flag}`);
  return text.endsWith('%') ? text : Number(text);
}

/** The object form of a selector: equalities are labels, everything else expressions. */
function selectorOf(text: string): object {
  try {
    const { requirements } = parseLabelSelector(text);
    const isEqual = (one: (typeof requirements)[number]): boolean =>
      one.operator === 'In' && one.values.length === 1;
    const labels = requirements.filter(isEqual).map(({ key, values }) => [key, values[0]]);
    const expressions = requirements
      .filter((one) => !isEqual(one))
      .map(({ key, operator, values }) => ({ key, operator, ...(values.length > 0 && { values }) }));
    return {
      ...(expressions.length > 0 && { matchExpressions: expressions }),
      ...(labels.length > 0 && { matchLabels: Object.fromEntries(labels) }),
    };
  } catch (error) {
    if (error instanceof SelectorError) throw new UsageError(error.message);
    throw error;
  }
}
