'use client';

import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { toast } from '@/app/_ui/toasts';
import { formatCount } from '@/lib/core/format';
import { approve, payBonuses, settle } from './actions';

interface BonusProps {
  slug: string;
  list: Parameters<typeof payBonuses>[1];
  total: string;
}

const done = (error: string | undefined, words: string) => {
  if (!error) toast.success(words);
  return error;
};

export function PayBonuses({ slug, list, total }: BonusProps) {
  return (
    <ConfirmDialog
      trigger={<Button variant="primary">Pay bonuses</Button>}
      title={`Pay ${total} to ${formatCount(list.lines.length, 'person', 'people')}?`}
      confirm="Pay"
      onConfirm={async () => done((await payBonuses(slug, list)).error, 'Bonuses were added to the ledger.')}
    >
      Each line is added to the earnings of the worker with the note “{list.note}”, and to the next payout
      list. Entries of the ledger cannot be removed.
    </ConfirmDialog>
  );
}

export function ApprovePayout({ slug, total }: { slug: string; total: string }) {
  return (
    <ConfirmDialog
      trigger={<Button>Approve pending amounts</Button>}
      title={`Approve ${total} for payout?`}
      confirm="Approve"
      onConfirm={async () =>
        done((await approve(slug, '')).error, 'Approved. Download the list as CSV and pay it.')
      }
    >
      All pending amounts become one list. Download it as CSV, pay it, then mark it as paid here.
    </ConfirmDialog>
  );
}

interface SettleProps {
  slug: string;
  payoutId: string;
  total: string;
  /** Name of the marketplace that pays these people; null if they are paid manually. */
  through: string | null;
  reference: string | null;
}

export function SettlePayout({ slug, payoutId, total, through, reference }: SettleProps) {
  return (
    <span className="inline-flex gap-1">
      {through && (
        <ConfirmDialog
          trigger={
            <Button size="small" variant="primary">
              {reference ? 'Send again' : `Send through ${through}`}
            </Button>
          }
          title={`Pay ${total} through ${through}?`}
          confirm="Pay"
          onConfirm={async () =>
            done((await settle(slug, payoutId, 'sent')).error, `${through} pays ${total}.`)
          }
        >
          {reference
            ? `${through} already has this list as ${reference}. Sending it again does not pay it twice.`
            : `${through} takes the amounts from your balance there, adds its fee, and pays them as bonuses. Then the list is marked as paid.`}
        </ConfirmDialog>
      )}
      <ConfirmDialog
        trigger={<Button size="small">Mark as paid</Button>}
        title={`Has ${total} been paid?`}
        confirm="Mark as paid"
        onConfirm={async () => (await settle(slug, payoutId, 'paid')).error}
      >
        Every line becomes a payment in the ledger and is shown to the worker. This cannot be undone.
      </ConfirmDialog>
      <ConfirmDialog
        trigger={
          <Button size="small" variant="quiet">
            Cancel
          </Button>
        }
        title="Cancel this list?"
        confirm="Cancel the list"
        danger
        onConfirm={async () => (await settle(slug, payoutId, 'cancelled')).error}
      >
        Its amounts become pending again and are added to the next list.
      </ConfirmDialog>
    </span>
  );
}
