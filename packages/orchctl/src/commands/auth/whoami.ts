import { asObject, asStrings, asText, type JsonObject, objectAt } from '@orch/machinery/json';
import { command } from '../../cli/command.ts';
import { columnText } from '../../print/columns.ts';
import { objectText } from '../../print/object-text.ts';
import { outputFlags, parseOutputFormat } from '../../print/output-format.ts';
import { ownUser } from './own-user.ts';

export const whoami = command({
  usage: 'auth whoami [flags]',
  about: 'Prints the user of the requests of this program, as the server sees it: name, uid, groups, extra.',
  examples: [
    { comment: 'The current user', line: 'orchctl auth whoami' },
    { comment: 'The name alone', line: "orchctl auth whoami -o jsonpath='{.status.userInfo.username}'" },
  ],
  flags: { ...outputFlags('Flags') },
  hasArguments: false,
  async run({ flags, io, session, signal }) {
    const format = parseOutputFormat(flags, io);
    const object = await ownUser(await session(), signal);
    io.out.write(
      format.kind === 'table'
        ? columnText([['ATTRIBUTE', 'VALUE'], ...rowsOf(objectAt(object, 'status', 'userInfo'))])
        : objectText(format, { objects: [object], isList: false }),
    );
    return 0;
  },
});

function rowsOf(user: JsonObject): readonly (readonly string[])[] {
  const rows: string[][] = [];
  const add = (name: string, value: string) => {
    if (value !== '') rows.push([name, value]);
  };
  add('Username', asText(user['username']));
  add('UID', asText(user['uid']));
  const groups = asStrings(user['groups']);
  add('Groups', groups.length === 0 ? '' : `[${groups.join(' ')}]`);
  for (const [name, values] of Object.entries(asObject(user['extra'])).toSorted())
    add(`Extra: ${name}`, `[${asStrings(values).join(' ')}]`);
  return rows;
}
