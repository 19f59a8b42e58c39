/**
 * GS1's application identifiers (GS1 General Specifications, section 3): what each field of a GS1 barcode is called, and
 * its format. Of coupons (8110, 8112), only characters and length are checked: their fields have a grammar of their own.
 */

/**
 * A format is a row of components: `n` digits, `x` character set 82, `y` character set 39, `z` file-safe base 64, `s` a
 * minus sign; `n6` exactly six, `n..8` one to eight, `n..8?` up to eight, `[n4]` four or none. After the colon: `check`, its
 * last digit is a check digit; `date`, YYMMDD; `day0`, a date whose day may be 00, for the whole month; `time`, HHMM, or
 * its beginning; `sixty`, minutes or seconds; `flag`, 0 or 1; `zero`, 0.
 */
type Format = string;

export interface Identifier {
  readonly label: string;
  readonly format: Format;
  /** The last digit of the identifier is the number of digits behind the decimal point. */
  readonly decimals?: { readonly max: number; readonly unit: string };
}

const namedIdentifiers: readonly (readonly [ai: string, label: string, format: Format])[] = [
  ['00', 'SSCC', 'n18:check'],
  ['01', 'GTIN', 'n14:check'],
  ['02', 'Content GTIN', 'n14:check'],
  ['03', 'Made-to-order GTIN', 'n14:check'],
  ['10', 'Batch', 'x..20'],
  ['11', 'Produced', 'n6:day0'],
  ['12', 'Payment due', 'n6:day0'],
  ['13', 'Packed', 'n6:day0'],
  ['15', 'Best before', 'n6:day0'],
  ['16', 'Sell by', 'n6:day0'],
  ['17', 'Expires', 'n6:day0'],
  ['20', 'Variant', 'n2'],
  ['21', 'Serial', 'x..20'],
  ['22', 'Consumer variant', 'x..20'],
  ['235', 'Serial (third party)', 'x..28'],
  ['240', 'Additional product ID', 'x..30'],
  ['241', 'Customer part number', 'x..30'],
  ['242', 'Made-to-order variation', 'n..6'],
  ['243', 'Packaging component', 'x..20'],
  ['250', 'Secondary serial', 'x..30'],
  ['251', 'Source reference', 'x..30'],
  ['253', 'Document type', 'n13:check x..17?'],
  ['254', 'Location extension', 'x..20'],
  ['255', 'Coupon', 'n13:check n..12?'],
  ['30', 'Count', 'n..8'],
  ['37', 'Items', 'n..8'],
  ['400', 'Order number', 'x..30'],
  ['401', 'Consignment', 'x..30'],
  ['402', 'Shipment', 'n17:check'],
  ['403', 'Routing code', 'x..30'],
  ['410', 'Ship to', 'n13:check'],
  ['411', 'Bill to', 'n13:check'],
  ['412', 'Purchased from', 'n13:check'],
  ['413', 'Ship for', 'n13:check'],
  ['414', 'Location', 'n13:check'],
  ['415', 'Invoicing party', 'n13:check'],
  ['416', 'Production location', 'n13:check'],
  ['417', 'Party', 'n13:check'],
  ['420', 'Ship-to postal code', 'x..20'],
  ['421', 'Ship-to country and postal code', 'n3 x..9'],
  ['422', 'Country of origin', 'n3'],
  ['423', 'Country of first processing', 'n3 [n3] [n3] [n3] [n3]'],
  ['424', 'Country of processing', 'n3'],
  ['425', 'Country of disassembly', 'n3 [n3] [n3] [n3] [n3]'],
  ['426', 'Country of the full process', 'n3'],
  ['427', 'Region of origin', 'x..3'],
  ['4300', 'Ship-to company', 'x..35'],
  ['4301', 'Ship-to contact', 'x..35'],
  ['4302', 'Ship-to address', 'x..70'],
  ['4303', 'Ship-to address, line 2', 'x..70'],
  ['4304', 'Ship-to suburb', 'x..70'],
  ['4305', 'Ship-to city', 'x..70'],
  ['4306', 'Ship-to region', 'x..70'],
  ['4307', 'Ship-to country', 'x2'],
  ['4308', 'Ship-to phone', 'x..30'],
  ['4309', 'Ship-to coordinates', 'n20'],
  ['4310', 'Return-to company', 'x..35'],
  ['4311', 'Return-to contact', 'x..35'],
  ['4312', 'Return-to address', 'x..70'],
  ['4313', 'Return-to address, line 2', 'x..70'],
  ['4314', 'Return-to suburb', 'x..70'],
  ['4315', 'Return-to city', 'x..70'],
  ['4316', 'Return-to region', 'x..70'],
  ['4317', 'Return-to country', 'x2'],
  ['4318', 'Return-to postal code', 'x..20'],
  ['4319', 'Return-to phone', 'x..30'],
  ['4320', 'Service description', 'x..35'],
  ['4321', 'Dangerous goods', 'n1:flag'],
  ['4322', 'Authority to leave', 'n1:flag'],
  ['4323', 'Signature required', 'n1:flag'],
  ['4324', 'Not before', 'n6:day0 n4:time'],
  ['4325', 'Not after', 'n6:day0 n4:time'],
  ['4326', 'Release date', 'n6:date'],
  ['4330', 'Maximum temperature (°F, two decimals)', 'n6 [s1]'],
  ['4331', 'Maximum temperature (°C, two decimals)', 'n6 [s1]'],
  ['4332', 'Minimum temperature (°F, two decimals)', 'n6 [s1]'],
  ['4333', 'Minimum temperature (°C, two decimals)', 'n6 [s1]'],
  ['7001', 'NATO stock number', 'n13'],
  ['7002', 'Meat cut', 'x..30'],
  ['7003', 'Expires', 'n6:date n4:time'],
  ['7004', 'Active potency', 'n..4'],
  ['7005', 'Catch area', 'x..12'],
  ['7006', 'First frozen', 'n6:date'],
  ['7007', 'Harvested', 'n6:date [n6:date]'],
  ['7008', 'Species', 'x..3'],
  ['7009', 'Fishing gear', 'x..10'],
  ['7010', 'Production method', 'x..2'],
  ['7011', 'Test by', 'n6:date [n4:time]'],
  ['7020', 'Refurbishment lot', 'x..20'],
  ['7021', 'Functional status', 'x..20'],
  ['7022', 'Revision status', 'x..20'],
  ['7023', 'Assembly', 'x..30'],
  ['7040', 'EU tobacco facility', 'n1 x3'],
  ['7041', 'Transport unit type', 'x..4'],
  ['710', 'German healthcare number', 'x..20'],
  ['711', 'French healthcare number', 'x..20'],
  ['712', 'Spanish healthcare number', 'x..20'],
  ['713', 'Brazilian healthcare number', 'x..20'],
  ['714', 'Portuguese healthcare number', 'x..20'],
  ['715', 'US healthcare number', 'x..20'],
  ['716', 'Italian healthcare number', 'x..20'],
  ['717', 'Healthcare number', 'x..20'],
  ['7240', 'Protocol', 'x..20'],
  ['7241', 'Data carrier', 'n2'],
  ['7242', 'Controlled version', 'x..25'],
  ['7250', 'Birth date', 'n2 n6:date'],
  ['7251', 'Birth date and time', 'n2 n6:date n4:time'],
  ['7252', 'Sex', 'n1'],
  ['7253', 'Family name', 'x..40'],
  ['7254', 'Given name', 'x..40'],
  ['7255', 'Name suffix', 'x..10'],
  ['7256', 'Full name', 'x..90'],
  ['7257', 'Address', 'x..70'],
  ['7258', 'Birth sequence', 'x3'],
  ['7259', 'Family name of the mother', 'x..40'],
  ['8001', 'Roll dimensions', 'n14'],
  ['8002', 'Mobile phone', 'x..20'],
  ['8003', 'Returnable asset', 'n1:zero n13:check x..16?'],
  ['8004', 'Asset', 'x..30'],
  ['8005', 'Price per unit', 'n6'],
  ['8006', 'Trade item piece', 'n14:check n4'],
  ['8007', 'IBAN', 'x..34'],
  ['8008', 'Produced', 'n6:date n2:time [n2:sixty] [n2:sixty]'],
  ['8009', 'Sensor', 'x..50'],
  ['8010', 'Component', 'y..30'],
  ['8011', 'Component serial', 'n..12'],
  ['8012', 'Software version', 'x..20'],
  ['8013', 'Product model', 'x..25'],
  ['8014', 'Registration ID', 'x..25'],
  ['8017', 'Service provider', 'n18:check'],
  ['8018', 'Service recipient', 'n18:check'],
  ['8019', 'Service instance', 'n..10'],
  ['8020', 'Payment reference', 'x..25'],
  ['8026', 'Content piece', 'n14:check n4'],
  ['8030', 'Digital signature', 'z..90'],
  ['8040', 'IMEI', 'n15'],
  ['8041', 'Second IMEI', 'n15'],
  ['8042', 'EID', 'n32'],
  ['8043', 'ICCID', 'n18 n..2?'],
  ['8110', 'Coupon', 'x..70'],
  ['8111', 'Loyalty points', 'n4'],
  ['8112', 'Coupon', 'x..70'],
  ['8200', 'Packaging URL', 'x..70'],
  ['90', 'Agreed between partners', 'x..30'],
];

/** The first three digits of a measure's identifier, its label and its unit; the fourth is the number of decimals. */
const measures: readonly (readonly [prefix: string, label: string, unit: string])[] = [
  ...metric('31', 'Net', ''),
  ...metric('33', 'Gross', 'Logistic '),
  ['337', 'Weight per area', 'kg/m²'],
  ['320', 'Net weight', 'lb'],
  ['340', 'Gross weight', 'lb'],
  ...imperial('32', ''),
  ...imperial('34', 'Logistic '),
  ['350', 'Area', 'in²'],
  ['351', 'Area', 'ft²'],
  ['352', 'Area', 'yd²'],
  ['353', 'Logistic area', 'in²'],
  ['354', 'Logistic area', 'ft²'],
  ['355', 'Logistic area', 'yd²'],
  ['356', 'Net weight', 'troy oz'],
  ['357', 'Net volume', 'oz'],
  ['360', 'Net volume', 'qt'],
  ['361', 'Net volume', 'gal'],
  ['362', 'Logistic volume', 'qt'],
  ['363', 'Logistic volume', 'gal'],
  ['364', 'Net volume', 'in³'],
  ['365', 'Net volume', 'ft³'],
  ['366', 'Net volume', 'yd³'],
  ['367', 'Logistic volume', 'in³'],
  ['368', 'Logistic volume', 'ft³'],
  ['369', 'Logistic volume', 'yd³'],
];

function metric(prefix: string, weight: string, labelPrefix: string) {
  const label = (name: string) => capitalized(`${labelPrefix}${name}`);
  return [
    [`${prefix}0`, `${weight} weight`, 'kg'],
    [`${prefix}1`, label('length'), 'm'],
    [`${prefix}2`, label('width'), 'm'],
    [`${prefix}3`, label('height'), 'm'],
    [`${prefix}4`, label('area'), 'm²'],
    [`${prefix}5`, label('volume'), 'l'],
    [`${prefix}6`, label('volume'), 'm³'],
  ] as const;
}

function imperial(prefix: string, labelPrefix: string) {
  return ['length', 'width', 'height'].flatMap((name, side) =>
    ['in', 'ft', 'yd'].map(
      (unit, n) => [`${prefix}${1 + side * 3 + n}`, capitalized(`${labelPrefix}${name}`), unit] as const,
    ),
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

/** Measures, amounts and other rows of identifiers that differ in their last digit alone, from 0 to `max`. */
const families: readonly (readonly [prefix: string, max: number, label: string, format: Format, unit?: string])[] = [
  ...measures.map(([prefix, label, unit]) => [prefix, 5, label, 'n6', unit] as const),
  ['390', 9, 'Amount payable', 'n..15', ''],
  ['391', 9, 'Amount payable (currency first)', 'n3 n..15', ''],
  ['392', 9, 'Price', 'n..15', ''],
  ['393', 9, 'Price (currency first)', 'n3 n..15', ''],
  ['394', 3, 'Discount', 'n4', '%'],
  ['395', 5, 'Price per unit', 'n6', ''],
  ['703', 9, 'Processor', 'n3 x..27'],
  ['723', 9, 'Certification', 'x2 x..28'],
  ['9', 9, 'Company internal', 'x..90'],
];

export const identifiers: ReadonlyMap<string, Identifier> = new Map<string, Identifier>([
  ...families.flatMap(([prefix, max, label, format, unit]) =>
    Array.from({ length: max + 1 }, (_, n): [string, Identifier] => [
      `${prefix}${n}`,
      { label, format, ...(unit === undefined ? {} : { decimals: { max, unit } }) },
    ]),
  ),
  ...namedIdentifiers.map(([ai, label, format]): [string, Identifier] => [ai, { label, format }]),
]);

/**
 * The length of a whole field, identifier included, by its first two digits: such a field needs no separator after it
 * (GS1 General Specifications, figure 7.8.5-2). Any other field ends at a separator.
 */
export function predefinedLength(field: string): number | undefined {
  return lengths[field.slice(0, 2)];
}

const lengths: Readonly<Record<string, number>> = {
  '00': 20,
  '01': 16,
  '02': 16,
  '03': 16,
  '04': 18,
  ...Object.fromEntries(['11', '12', '13', '14', '15', '16', '17', '18', '19'].map((ai) => [ai, 8])),
  '20': 4,
  ...Object.fromEntries(['31', '32', '33', '34', '35', '36'].map((ai) => [ai, 10])),
  '41': 16,
};
