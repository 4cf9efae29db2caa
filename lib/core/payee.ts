import { z } from 'zod';

/** Where a project sends money to a worker of its own pool. */
export const payeeMethods = ['bank', 'paypal', 'other'] as const;
export type PayeeMethod = (typeof payeeMethods)[number];

export const paySchedules = ['weekly', 'two-weeks', 'monthly', 'project-end', 'as-described'] as const;
export type PaySchedule = (typeof paySchedules)[number];

/** Length of an IBAN by country: ISO 13616, registry of SWIFT, release 99. */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29
  ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20
  LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29
  PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20
  YE30`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

const compact = (account: string): string => account.replace(/[\s.-]/g, '').toUpperCase();

/** Two letters and two digits: an IBAN, or a mistyped one. */
export const looksLikeIban = (account: string): boolean => /^[A-Z]{2}\d{2}/.test(compact(account));

/** Checks the country's length and the checksum (ISO 7064, MOD 97-10). */
export function isIban(account: string): boolean {
  const iban = compact(account);
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban) || ibanLengths[iban.slice(0, 2)] !== iban.length) return false;
  let remainder = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4))
    for (const digit of String(Number.parseInt(char, 36))) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder === 1;
}

/** IBANs in groups of four, as banks print them; other account numbers as they were entered. */
const printed = (account: string): string =>
  isIban(account) ? compact(account).replace(/(.{4})(?=.)/g, '$1 ') : account.replace(/\s+/g, ' ');

/**
 * Text of one person that another reads before sending money: no control characters, and none that reverse or hide
 * the direction of writing. Joiners stay, because Hindi and Persian need them.
 */
const hidden = /[\p{Cc}\u061C\u200B\u200E\u200F\u2028\u2029\u202A-\u202E\u2060-\u2069\uFEFF]/u;
const line = (max: number) =>
  z
    .string()
    .normalize()
    .trim()
    .max(max)
    .refine((text) => !hidden.test(text));
const lines = (max: number) =>
  z
    .string()
    .normalize()
    .transform((text) => text.replace(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .max(max)
        .refine((text) => !hidden.test(text.replaceAll('\n', ''))),
    );

export const MAX_INSTRUCTIONS = 500;

const name = line(100).refine((text) => /\p{L}/u.test(text));

export const PayeeDetails = z.discriminatedUnion('method', [
  z.object({
    method: z.literal('bank'),
    name,
    /** An IBAN, or an account number of a country without IBANs. */
    account: line(42)
      .refine((text) => /^[\p{ASCII}]{4,}$/u.test(text) && /^[A-Za-z0-9 ./-]+$/.test(text) && /\d/.test(text))
      .refine((text) => !looksLikeIban(text) || isIban(text))
      .transform(printed),
    /** BIC, routing number, IFSC or sort code; an IBAN needs none. */
    bankCode: line(20)
      .refine((text) => /^[A-Za-z0-9 -]*$/.test(text))
      .transform((text) => text.toUpperCase())
      .default(''),
  }),
  z.object({
    method: z.literal('paypal'),
    name,
    email: line(254)
      .pipe(z.email())
      .transform((text) => text.toLowerCase()),
  }),
  z.object({
    method: z.literal('other'),
    name,
    instructions: lines(MAX_INSTRUCTIONS).refine((text) => /[\p{L}\p{N}]/u.test(text)),
  }),
]);

export type PayeeDetails = z.infer<typeof PayeeDetails>;

/** Enough to recognize an account, too little to use it: "•••• 3000", "w•••@example.org". */
export function maskPayee(details: PayeeDetails): string {
  if (details.method === 'bank') return `•••• ${compact(details.account).slice(-4)}`;
  if (details.method === 'other') return '••••';
  const at = details.email.lastIndexOf('@');
  return `${details.email.slice(0, 1)}•••${details.email.slice(at)}`;
}
