import { switchFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { selectorFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { validateFlag, writeFlags } from '../../cli/write-flags.ts';
import { outputFlags } from '../../print/output-format.ts';
import { readTargets } from '../../resources/targets.ts';
import { changeObject } from '../write/change-object.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { WriteReport } from '../write/report-write.ts';
import { type Node, nodeClient } from './node-targets.ts';
import { changedTaints, splitTaints, type Taint, taintAction } from './taint-changes.ts';

const section = 'Flags';

export const taint = command({
  usage: 'taint node NAME... (KEY=VALUE:EFFECT | KEY[:EFFECT]-)... [flags]',
  about:
    'Sets and removes taints of nodes. The effect is NoSchedule, PreferNoSchedule or NoExecute. KEY- removes all taints of a key, KEY:EFFECT- one of them. A taint that exists is replaced only with --overwrite.',
  examples: [
    { comment: 'Set a taint', line: 'orchctl taint nodes node-1 dedicated=web:NoSchedule' },
    { comment: 'Replace its value', line: 'orchctl taint nodes node-1 dedicated=db:NoSchedule --overwrite' },
    { comment: 'Remove it', line: 'orchctl taint nodes node-1 dedicated:NoSchedule-' },
    { comment: 'On nodes with a label', line: 'orchctl taint nodes -l pool=old old:PreferNoSchedule' },
  ],
  flags: {
    ...writeFlags,
    ...validateFlag,
    ...showManagedFieldsFlag,
    selector: selectorFlags.selector,
    ...outputFlags(section),
    all: switchFlag({ name: 'all', help: 'All nodes.', section }),
    overwrite: switchFlag({ name: 'overwrite', help: 'Replace the values of existing taints.', section }),
  },
  async run({ flags, words, io, session: open, signal }) {
    const { objects, changes } = splitTaints(words);
    const [type] = objects;
    if (type === undefined || !['node', 'nodes', 'no'].includes(type.toLowerCase()))
      throw new UsageError(`invalid resource type ${type ?? ''}, only node types are supported`);
    const report = new WriteReport(io, flags);
    const session = await open();
    const selection = { filename: [], recursive: false, selector: flags.selector, all: flags.all };
    const targets = await readTargets({ flags: selection, words: objects, io, session, signal });
    const status = await forEachTarget(targets, io, async (target) => {
      let before: readonly Taint[] = [];
      const { object } = await changeObject<Node>({
        ...{ client: nodeClient(session, target), name: target.name, flags, io, signal },
        change: (node) => {
          before = node.spec?.taints ?? [];
          const taints = changedTaints(before, changes, { node: target.name, overwrite: flags.overwrite });
          return { ...node, spec: { ...node.spec, taints: [...taints] } };
        },
      });
      report.add(target, object, taintAction(before, changes));
    });
    report.end();
    return status;
  },
});
