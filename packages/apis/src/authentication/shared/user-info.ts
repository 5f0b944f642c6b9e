import { f, items, struct } from '@orch/schema';

export const UserInfo = struct('authentication.v1.UserInfo', 'What is known of a user.', {
  username: f.string(1, { doc: 'Name of the user.' }),
  uid: f.string(2, { doc: 'Identity of the user: another one of the same name has another.' }),
  groups: f.list(3, items.string, { doc: 'Groups that the user belongs to.' }),
  extra: f.map(4, { kind: 'list', items: items.string }, { doc: 'What else is known of the user.' }),
});
