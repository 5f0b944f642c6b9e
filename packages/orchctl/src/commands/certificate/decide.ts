import type { ApiObject } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { asObjects, statusOf } from '@orch/machinery/json';
import { formatTime } from '@orch/machinery/time';
import { switchFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { outputFlags } from '../../print/output-format.ts';
import { readTargets } from '../../resources/targets.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { WriteReport } from '../write/report-write.ts';

const section = 'Flags';

interface Decision {
  readonly verb: 'approve' | 'deny';
  readonly type: 'Approved' | 'Denied';
  readonly about: string;
}

const decide = ({ verb, type, about }: Decision) =>
  command({
    usage: `certificate ${verb} (REQUEST... | -f FILE) [flags]`,
    about,
    examples: [{ comment: 'One request', line: `orchctl certificate ${verb} csr-sqgzp` }],
    flags: {
      ...fileFlags,
      ...showManagedFieldsFlag,
      ...outputFlags(section),
      force: switchFlag({
        name: 'force',
        help: `Write the condition even if the request has it already.`,
        section,
      }),
    },
    async run({ flags, words, io, session: open, signal }) {
      if (words.length === 0 && flags.filename.length === 0)
        throw new UsageError('one or more CSRs must be specified as <name> or -f <filename>');
      const report = new WriteReport(io, { ...flags, dryRun: 'none' });
      const session = await open();
      const csrType = `certificatesigningrequests.${session.names.group('certificates')}`;
      const named =
        words.length === 0 ? [] : [csrType, ...words.map((word) => word.split('/').at(-1) ?? word)];
      const targets = await readTargets({ flags, words: named, io, session, signal });
      const status = await forEachTarget(targets, io, async (target) => {
        const client = session.client.resource(target.resource, target.namespace);
        const before = await client.get(target.name, {}, signal);
        const isDecided = conditionsOf(before).some((condition) => condition['type'] === type);
        const now = formatTime(io.env.clock.now());
        const decided = withCondition(before, { verb, type, now });
        const after =
          isDecided && !flags.force
            ? before
            : await client.subresource('approval').update(decided, {}, signal);
        report.add(target, after, verb === 'approve' ? 'approved' : 'denied');
      });
      report.end();
      return status;
    },
  });

const conditionsOf = (object: ApiObject): readonly JsonObject[] => asObjects(statusOf(object)['conditions']);

function withCondition(
  object: ApiObject,
  { verb, type, now }: { readonly verb: string; readonly type: string; readonly now: string },
): ApiObject {
  const condition = {
    ...{ type, status: 'True', lastUpdateTime: now },
    reason: verb === 'approve' ? 'OrchctlApprove' : 'OrchctlDeny',
    message: `This CSR was ${verb === 'approve' ? 'approved' : 'denied'} by orchctl certificate ${verb}.`,
  };
  const others = conditionsOf(object).filter((one) => one['type'] !== type);
  return { ...object, status: { ...statusOf(object), conditions: [...others, condition] } };
}

export const approve = decide({
  verb: 'approve',
  type: 'Approved',
  about:
    'Approves certificate signing requests: their signer then issues certificates with the requested attributes. Look at the request before, because its certificate can permit its holder to act as the user that it names.',
});

export const deny = decide({
  verb: 'deny',
  type: 'Denied',
  about: 'Denies certificate signing requests: their signer issues no certificates.',
});
