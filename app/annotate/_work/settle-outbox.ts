import { isAllStored, type OutboxDriver } from '@/lib/annotator';

const STEP_MS = 25;
/** A tab that takes over waits no longer than this, in ms. */
const WAIT_MS = 1200;

/** Stores everything in the browser, and if it can be had in time, at the server. */
export async function settleOutbox(outbox: OutboxDriver | undefined): Promise<void> {
  if (!outbox) return;
  outbox.flush();
  await outbox.settled();
  for (let waited = 0; !isAllStored(outbox.state) && waited < WAIT_MS; waited += STEP_MS)
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
}
