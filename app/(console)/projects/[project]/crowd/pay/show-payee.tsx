'use client';

import { useState, useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { DefinitionList } from '@/app/_ui/definition-list';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { toast } from '@/app/_ui/toasts';
import type { PayeeDetails } from '@/lib/core/payee';
import { showPayee } from './actions';
import { payeeRows } from './payee-words';

interface Props {
  slug: string;
  workerId: string;
  name: string;
}

/** Fetches the details of one worker on request and discards them when the dialog closes. */
export function ShowPayee({ slug, workerId, name }: Props) {
  const [details, setDetails] = useState<PayeeDetails | null>(null);
  const [pending, startTransition] = useTransition();
  const show = () =>
    startTransition(async () => {
      const found = await showPayee(slug, workerId);
      if (found.details) setDetails(found.details);
      else toast.error(found.error ?? 'The details were deleted. Reload the page.');
    });
  return (
    <>
      <Button size="small" pending={pending} onClick={show} aria-label={`Show the payee details of ${name}`}>
        Show
      </Button>
      <Dialog
        title={`Payee details of ${name}`}
        open={details !== null}
        onOpenChange={(open) => !open && setDetails(null)}
      >
        {details && <DefinitionList items={payeeRows(details)} className="whitespace-pre-line" />}
        <DialogFooter>
          <DialogClose asChild>
            <Button>Close</Button>
          </DialogClose>
        </DialogFooter>
      </Dialog>
    </>
  );
}
