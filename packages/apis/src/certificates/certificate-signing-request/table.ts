import type { CertificateSigningRequest } from '@orch/kinds/certificates';
import { humanAge } from '@orch/machinery/time';
import type { Cell, Column, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone } from '../../table.ts';

/** The decision, then its result. */
function conditionText(request: CertificateSigningRequest): string {
  const { conditions, certificate } = request.status ?? {};
  const types = new Set((conditions ?? []).map((condition) => condition.type));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  return [
    decision,
    ...(types.has('Failed') ? ['Failed'] : []),
    ...((certificate ?? '') === '' ? [] : ['Issued']),
  ].join();
}

const signerColumn = column('SignerName', 'Signer of the certificate.');
const requestorColumn = column('Requestor', 'User who made the request.');
const conditionColumn = column('Condition', 'Decisions about the request, and its result.');

const signerCell = (request: CertificateSigningRequest): Cell => orNone(request.spec?.signerName ?? '');
const requestorCell = (request: CertificateSigningRequest): Cell => request.spec?.username ?? '';

function durationCell(request: CertificateSigningRequest): Cell {
  const seconds = request.spec?.expirationSeconds;
  return typeof seconds === 'number' ? humanAge(seconds * 1000) : '<none>';
}

const table = (
  between: readonly (readonly [Column, (request: CertificateSigningRequest) => Cell])[],
): TableDefinition<CertificateSigningRequest> => ({
  columns: [nameColumn, ageColumn, ...between.map(([one]) => one), conditionColumn],
  cells: (request) => [
    nameCell(request),
    ageCell(request),
    ...between.map(([, cell]) => cell(request)),
    conditionText(request),
  ],
});

export const csrTable = table([
  [signerColumn, signerCell],
  [requestorColumn, requestorCell],
  [column('RequestedDuration', 'Requested validity of the certificate.'), durationCell],
]);

export const csrTableBefore122 = table([
  [signerColumn, signerCell],
  [requestorColumn, requestorCell],
]);

export const csrTableBefore118 = table([[requestorColumn, requestorCell]]);
