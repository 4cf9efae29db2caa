import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'Signed in' };

/** Where a worker lands who signed in again in a second window, in the middle of an item. */
export default function SignedInAgain() {
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">You are signed in</h1>
      <p className="text-ink-2">Close this window and go on where you were. Everything is still there.</p>
    </>
  );
}
