/** Reports to the starter that this process is ready. */
export function reportReady(): void {
  process.send?.('ready');
}

/**
 * Aborts when the process is asked to end: SIGTERM; SIGINT or SIGHUP when a person runs it alone; or the death
 * of the starter, which closes the line to it however it died.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.on('SIGTERM', stop);
  if (process.send) {
    process.on('disconnect', stop);
    // Ctrl-C reaches every process of the terminal; the starter ends its children in order.
    process.on('SIGINT', () => {});
    process.on('SIGHUP', () => {});
  } else {
    process.on('SIGINT', stop);
    process.on('SIGHUP', stop);
  }
  return controller.signal;
}

/** For work that can be interrupted anywhere: ends with the starter, however that died. */
export function endWithStarter(): void {
  if (process.send) process.on('disconnect', () => process.exit(1));
}
