import { f, items, struct } from '@orch/schema';

export const UserInfo = struct('authentication.v1.UserInfo', 'Attributes of a user.', {
  username: f.string(1, { doc: 'Name of the user.' }),
  uid: f.string(2, {
    doc: 'Unique identifier of the user, which differs for another user of the same name.',
  }),
  groups: f.list(3, items.string, { doc: 'Groups that the user belongs to.' }),
  extra: f.map(4, { kind: 'list', items: items.string }, { doc: 'Additional attributes of the user.' }),
});
