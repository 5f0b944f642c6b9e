import { f, struct } from '@orch/schema';
import { checkSubject } from './validation/policy-rules.ts';

const UserSubject = struct('flowcontrol.v1beta3.UserSubject', 'The user of the requests.', {
  name: f.string(1, { doc: 'Name of the user; `*` for all.', presence: 'always', openapiRequired: true }),
});

const GroupSubject = struct('flowcontrol.v1beta3.GroupSubject', 'The group of the users of the requests.', {
  name: f.string(1, {
    doc: 'Name of the group; `*` for all.',
    presence: 'always',
    openapiRequired: true,
  }),
});

const ServiceAccountSubject = struct(
  'flowcontrol.v1beta3.ServiceAccountSubject',
  'The service account of the requests.',
  {
    namespace: f.string(1, {
      doc: 'Namespace of the account.',
      presence: 'always',
      openapiRequired: true,
    }),
    name: f.string(2, {
      doc: 'Name of the account; `*` for all.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const Subject = struct(
  'flowcontrol.v1beta3.Subject',
  'User, group or service account of the requests. The kind determines which other field is set.',
  {
    kind: f.string(1, { doc: 'User, Group or ServiceAccount.', presence: 'always' }),
    user: f.struct(2, UserSubject, { doc: 'For kind User.', presence: 'pointer' }),
    group: f.struct(3, GroupSubject, { doc: 'For kind Group.', presence: 'pointer' }),
    serviceAccount: f.struct(4, ServiceAccountSubject, {
      doc: 'For kind ServiceAccount.',
      presence: 'pointer',
    }),
  },
  {
    checks: [checkSubject],
    unions: [
      {
        discriminator: 'kind',
        fields: { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' },
      },
    ],
  },
);
