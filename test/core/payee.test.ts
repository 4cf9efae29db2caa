import { describe, expect, it } from 'vitest';
import { isIban, looksLikeIban, maskPayee, PayeeDetails } from '@/lib/core/payee';

/** The examples of the registry of SWIFT. */
const ibans = [
  'GB29 NWBK 6016 1331 9268 19',
  'DE89 3704 0044 0532 0130 00',
  'FR14 2004 1010 0505 0001 3M02 606',
  'NO93 8601 1117 947',
  'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
  'SA03 8000 0000 6080 1016 7519',
];

const bank = { method: 'bank', name: 'Wanda Silva', account: ibans[1] as string, bankCode: '' };
const paypal = { method: 'paypal', name: 'Wanda Silva', email: 'Wanda@Example.org' };
const other = { method: 'other', name: 'Wanda Silva', instructions: 'By M-Pesa:\r\n0712 000 000' };
const accepts = (value: unknown) => PayeeDetails.safeParse(value).success;

describe('an IBAN', () => {
  it.each(ibans)('%s is right, however it is spaced', (iban) => {
    expect(isIban(iban)).toBe(true);
    expect(isIban(iban.replaceAll(' ', '').toLowerCase())).toBe(true);
  });

  it('with any one character mistyped, or two neighbours swapped, is wrong', () => {
    for (const iban of ibans.map((each) => each.replaceAll(' ', ''))) {
      for (let at = 0; at < iban.length; at++) {
        const digit = /\d/.test(iban[at] as string) ? String((Number(iban[at]) + 1) % 10) : '1';
        expect(isIban(iban.slice(0, at) + digit + iban.slice(at + 1)), `${iban} at ${at}`).toBe(false);
        if (at === 0 || iban[at] === iban[at - 1]) continue;
        const swapped = iban.slice(0, at - 1) + iban[at] + iban[at - 1] + iban.slice(at + 1);
        expect(isIban(swapped), `${iban} swapped at ${at}`).toBe(false);
      }
    }
  });

  it('of the wrong length or of a country without IBANs is wrong', () => {
    expect(isIban('DE89 3704 0044 0532 0130 000')).toBe(false);
    expect(isIban('US64 SVBK US6S 3300 9673 8637')).toBe(false);
    expect(isIban('')).toBe(false);
  });
});

describe('payee details', () => {
  it('are stored the way they are read: IBANs in groups, addresses in lower case, plain line breaks', () => {
    expect(PayeeDetails.parse({ ...bank, account: 'de89370400440532013000' })).toEqual(bank);
    expect(PayeeDetails.parse(paypal)).toEqual({ ...paypal, email: 'wanda@example.org' });
    expect(PayeeDetails.parse(other)).toEqual({ ...other, instructions: 'By M-Pesa:\n0712 000 000' });
  });

  it('are the same when they are read again', () => {
    for (const details of [bank, paypal, other]) {
      const once = PayeeDetails.parse(details);
      expect(PayeeDetails.parse(once)).toEqual(once);
    }
  });

  it('take account numbers of countries without IBANs', () => {
    for (const account of ['000123456789', '12-3456-7890123-00', '0012 3456 789'])
      expect(accepts({ ...bank, account, bankCode: 'HDFC0001234' }), account).toBe(true);
  });

  it('do not take a mistyped IBAN as an account number', () => {
    expect(looksLikeIban('de88 3704')).toBe(true);
    expect(accepts({ ...bank, account: 'DE88 3704 0044 0532 0130 00' })).toBe(false);
  });

  it.each([
    ['no name', { ...bank, name: '  ' }],
    ['a name of digits', { ...bank, name: '12345' }],
    ['a name that is too long', { ...bank, name: 'x'.repeat(101) }],
    ['a name that reverses what follows', { ...bank, name: 'Wanda \u202EavliS' }],
    ['a name with a hidden character', { ...bank, name: 'Wan\u200Bda' }],
    ['a name of two lines', { ...bank, name: 'Wanda\nAccount: 1' }],
    ['an account in other digits', { ...bank, account: '١٢٣٤٥٦' }],
    ['an account with markup', { ...bank, account: '<b>1234</b>' }],
    ['an account that is a formula', { ...bank, account: '=1+2345' }],
    ['an account without digits', { ...bank, account: 'my account' }],
    ['a bank code that is too long', { ...bank, bankCode: 'A'.repeat(21) }],
    ['an address that is none', { ...paypal, email: 'wanda' }],
    ['an address with a second line', { ...paypal, email: 'wanda@example.org\nbcc: x@example.org' }],
    ['empty instructions', { ...other, instructions: ' \n ' }],
    ['instructions that are too long', { ...other, instructions: 'x'.repeat(501) }],
    ['instructions with a control character', { ...other, instructions: 'a\u0007b' }],
    ['another method', { ...other, method: 'cash' }],
    ['lists instead of texts', { ...bank, name: ['Wanda'] }],
    ['nothing', {}],
  ])('refuse %s', (_, value) => {
    expect(accepts(value)).toBe(false);
  });

  it('drop fields of other methods', () => {
    expect(PayeeDetails.parse({ ...paypal, account: '1', isAdmin: true })).not.toHaveProperty('account');
  });

  it('keep names as people write them', () => {
    for (const name of ['محمد بن علی', 'श्रीमती क्षमा', '山田 花子', 'Nguyễn Thị Ánh', 'O’Brien-Śmigły Jr.'])
      expect(accepts({ ...bank, name }), name).toBe(true);
    // A joiner without width, as in Persian and Hindi names.
    expect(accepts({ ...bank, name: 'علی\u200Cرضا' })).toBe(true);
  });

  it('are recognizable and useless when shortened', () => {
    expect(maskPayee(PayeeDetails.parse(bank))).toBe('•••• 3000');
    expect(maskPayee(PayeeDetails.parse(paypal))).toBe('w•••@example.org');
    expect(maskPayee(PayeeDetails.parse(other))).toBe('••••');
  });
});
