import type { kinds } from '@orch/client';
import { messageOf } from '@orch/machinery';
import { humanAge } from '@orch/machinery/time';
import { CommandError } from '../../../../command-error.ts';
import { describer } from '../../describer.ts';
import { type RequestContent, readRequest } from '../../text/certificate-request.ts';
import type { Description } from '../../text/description.ts';
import { timeText } from '../../text/times.ts';
import { mapText } from '../../text/values.ts';

type Request = kinds.certificates.CertificateSigningRequest;

const MS_PER_SECOND = 1000;

export const certificateSigningRequest = describer<Request>({
  group: 'certificates',
  kind: 'CertificateSigningRequest',
  versions: ['v1', 'v1beta1'],
  describe(out, object) {
    const { metadata, spec } = object;
    const content = contentOf(object);
    out.fields(0, {
      Name: metadata.name,
      Labels: mapText(metadata.labels),
      Annotations: mapText(metadata.annotations),
      CreationTimestamp: timeText(metadata.creationTimestamp),
      'Requesting User': spec?.username ?? '',
    });
    if (spec?.signerName) out.field(0, 'Signer', spec.signerName);
    if (spec?.expirationSeconds !== undefined)
      out.field(0, 'Requested Duration', humanAge(spec.expirationSeconds * MS_PER_SECOND));
    out.field(0, 'Status', statusText(object));
    describeContent(out, content);
  },
});

function contentOf({ spec }: Request): RequestContent {
  try {
    return readRequest(spec?.request ?? '');
  } catch (error) {
    throw new CommandError(`Error parsing CSR: ${messageOf(error)}`, { cause: error });
  }
}

function statusText({ status = {} }: Request): string {
  const types = (status.conditions ?? []).map(({ type }) => type);
  const decision = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending';
  const failed = types.includes('Failed') ? ',Failed' : '';
  return `${decision}${failed}${status.certificate ? ',Issued' : ''}`;
}

function describeContent(out: Description, { subject, names }: RequestContent): void {
  out.line(0, 'Subject:');
  out.raw(`\tCommon Name:\t${subject.commonName}\n\tSerial Number:\t${subject.serialNumber}\n`);
  describeLists(out, subject.lists);
  if (names.every(([, values]) => values.length === 0)) return;
  out.line(0, 'Subject Alternative Names:');
  describeLists(out, names);
}

function describeLists(out: Description, lists: RequestContent['names']): void {
  for (const [title, values] of lists)
    if (values.length > 0) out.raw(`\t${title}:\t${values.join('\n\t\t')}\n`);
}
