import type { Definition } from '@/app/_ui/definition-list';
import type { PayeeDetails, PayeeMethod } from '@/lib/core/payee';

export const methodTitles: Record<PayeeMethod, string> = {
  bank: 'Bank transfer',
  paypal: 'PayPal',
  other: 'Other',
};

/** The details that are needed to send the money. */
export function payeeRows(details: PayeeDetails): Definition[] {
  const first = [
    { term: 'Method', value: methodTitles[details.method] },
    { term: 'Name', value: details.name },
  ];
  if (details.method === 'paypal') return [...first, { term: 'Email', value: details.email }];
  if (details.method === 'other') return [...first, { term: 'Instructions', value: details.instructions }];
  return [
    ...first,
    { term: 'Account', value: details.account },
    ...(details.bankCode ? [{ term: 'Bank code', value: details.bankCode }] : []),
  ];
}

export const payeeHead = [
  'payee_method',
  'payee_name',
  'payee_account',
  'payee_bank_code',
  'payee_email',
  'payee_instructions',
];

/** The same as cells of a file, in the order of `payeeHead`. */
export function payeeCells(details: PayeeDetails | undefined): (string | null)[] {
  if (!details) return payeeHead.map(() => null);
  const { method, name } = details;
  return [
    method,
    name,
    method === 'bank' ? details.account : null,
    method === 'bank' ? details.bankCode || null : null,
    method === 'paypal' ? details.email : null,
    method === 'other' ? details.instructions : null,
  ];
}
