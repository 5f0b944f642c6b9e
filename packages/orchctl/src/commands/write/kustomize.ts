import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '@orch/machinery';
import { switchFlag, textFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import { buildKustomization } from '../../files/kustomization.ts';

const section = 'Flags';

export const kustomize = command({
  usage: 'kustomize [FOLDER] [flags]',
  about:
    'Prints the objects of a kustomization, of the current folder if none is given. An installed kustomize builds it, or kubectl where there is no kustomize; commands with --filename take the folder by --kustomize instead.',
  examples: [
    { comment: 'The objects of an overlay', line: 'orchctl kustomize overlays/test' },
    { comment: 'Apply them', line: 'orchctl apply -k overlays/test' },
  ],
  flags: {
    output: textFlag({
      name: 'output',
      short: 'o',
      help: 'Write to this file instead of printing.',
      section,
    }),
    enableHelm: switchFlag({ name: 'enable-helm', help: 'Permit charts of Helm.', section }),
    loadRestrictor: textFlag({
      name: 'load-restrictor',
      help: 'LoadRestrictionsNone permits files outside of the folder of the kustomization.',
      section,
    }),
  },
  async run({ io, flags: { output, enableHelm, loadRestrictor }, words, signal }) {
    const [folder = '.', ...more] = words;
    if (more.length > 0) throw new UsageError('only one folder can be given');
    const argv = [
      ...(enableHelm ? ['--enable-helm'] : []),
      ...(loadRestrictor === '' ? [] : [`--load-restrictor=${loadRestrictor}`]),
    ];
    const text = await buildKustomization(folder, io, { argv, signal });
    if (output === '') io.out.write(text);
    else writeOutput(resolve(io.folder, output), text);
    return 0;
  },
});

function writeOutput(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
