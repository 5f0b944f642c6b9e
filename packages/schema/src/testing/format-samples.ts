/** Strings that a format accepts, and strings that it refuses. */
export interface FormatSamples {
  readonly format: string;
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
}

const hour = '12:30:00Z';

export const formatSamples: readonly FormatSamples[] = [
  {
    format: 'bsonobjectid',
    accepted: ['507f1f77bcf86cd799439011'],
    refused: ['', '507f1f77bcf86cd79943901', 'x'],
  },
  {
    format: 'uri',
    accepted: ['https://a.b/c?d=e', '/a/b', 'mailto:a@b.c', 'http://[::1]:80/'],
    refused: ['a/b', 'http://a b/', 'http://a/%zz', ''],
  },
  {
    format: 'email',
    accepted: ['a@b.c', 'Name <a@b.c>', '"a b"@c.d'],
    refused: ['', 'a', 'a@', '@b', 'a b@c.d', 'a@b,c@d'],
  },
  {
    format: 'hostname',
    accepted: ['a.example.com', 'localhost', 'xn--a.example'],
    refused: ['', '-a.example.com', 'a..example.com', `${'a'.repeat(64)}.com`, 'a_b.com'],
  },
  {
    format: 'ipv4',
    accepted: ['10.0.0.1', '255.255.255.255'],
    refused: ['', '256.0.0.1', '::1', '10.0.0', 'a'],
  },
  {
    format: 'ipv6',
    accepted: ['::1', '2001:db8::ff'],
    refused: ['', '10.0.0.1', '2001:db8', 'g::1', '1::2::3'],
  },
  {
    format: 'cidr',
    accepted: ['10.0.0.0/8', '::/0', '192.168.1.7/32'],
    refused: ['', '10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/-1', '10.0.0.0/a'],
  },
  {
    format: 'mac',
    accepted: ['00:00:5e:00:53:01', '00-00-5E-00-53-01', '0000.5e00.5301', '02:00:5e:10:00:00:00:01'],
    refused: ['', '00:00:5e:00:53', '00:00-5e:00:53:01', '0000.5e00', 'g0:00:5e:00:53:01'],
  },
  {
    format: 'uuid',
    accepted: ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'],
    refused: ['', '123e4567-e89b-12d3-a456-42661417400', 'x'],
  },
  {
    format: 'uuid3',
    accepted: ['bcd02e22-68f0-3046-a512-327cca9def8f'],
    refused: ['', 'bcd02e22-68f0-4046-a512-327cca9def8f'],
  },
  {
    format: 'uuid4',
    accepted: ['025b0d74-00a2-4048-bf57-227c5111bb34'],
    refused: ['', '025b0d74-00a2-5048-bf57-227c5111bb34', '025b0d74-00a2-4048-cf57-227c5111bb34'],
  },
  {
    format: 'uuid5',
    accepted: ['886313e1-3b8a-5372-9b90-0c9aee199e5d'],
    refused: ['', '886313e1-3b8a-4372-9b90-0c9aee199e5d'],
  },
  {
    format: 'isbn',
    accepted: ['0321751043', '978-0321751041'],
    refused: ['', '0321751044', '978-0321751042', '123'],
  },
  {
    format: 'isbn10',
    accepted: ['0321751043', '0-8044-2957-X'],
    refused: ['', '9780321751041', '0321751044'],
  },
  { format: 'isbn13', accepted: ['978 0321751041'], refused: ['', '0321751043', '9780321751042'] },
  {
    format: 'creditcard',
    accepted: ['4111-1111-1111-1111', '378282246310005'],
    refused: ['', '4111-1111-1111-1112', '1234'],
  },
  { format: 'ssn', accepted: ['111-11-1111', '111 11 1111'], refused: ['', '111-11-111', '111111111', 'x'] },
  { format: 'hexcolor', accepted: ['#FFF', 'abcdef'], refused: ['', '#ffff', '#ggg'] },
  {
    format: 'rgbcolor',
    accepted: ['rgb(1,2,3)', 'rgb( 255 , 0, 7 )'],
    refused: ['', 'rgb(256,0,0)', 'rgb(1,2)', 'rgb(01,2,3)'],
  },
  { format: 'byte', accepted: ['aGk=', 'aGlo', 'YQ=='], refused: ['', 'a', 'aGk', 'a-b_', 'aGk=='] },
  { format: 'password', accepted: ['', 'anything'], refused: [] },
  {
    format: 'date',
    accepted: ['2024-02-29', '0001-01-01'],
    refused: ['', '2023-02-29', '2024-1-1', `2024-01-01T${hour}`],
  },
  {
    format: 'date-time',
    accepted: [`2024-02-29T${hour}`, '2024-02-29t12:30:00.123z', '2024-02-29T12:30:00+01:00'],
    refused: ['', '2024-02-29', '2024-02-29 12:30:00Z', '2024-02-30T12:30:00Z', '2024-02-29T24:00:00Z'],
  },
  {
    format: 'duration',
    accepted: ['1h30m', '3 days', '1.5s', '-2m', '0', '2 weeks'],
    refused: ['', 'h', '3', 'x days'],
  },
];
