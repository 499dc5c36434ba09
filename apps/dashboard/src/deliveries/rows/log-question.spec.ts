import { describe, expect, it, vi } from 'vitest';
import { logQuestion } from './log-question.js';

const REFUSED = new Error('refused');
const OFFLINE = new Error('offline');

const answered = () => ({ error: null, isFetching: false, refetch: vi.fn() });
const allPages = () => ({ ...answered(), isFetchNextPageError: false, fetchNextPage: vi.fn() });

describe('the question of a log', () => {
  it('tells nothing while all is answered', () => {
    expect(logQuestion(allPages(), answered())).toMatchObject({ error: null, isFetching: false });
  });

  it('asks for the further page alone when that one has failed, and for no page that is there', () => {
    const pages = { ...allPages(), error: REFUSED, isFetchNextPageError: true };
    const head = answered();
    const asked = logQuestion(pages, head);
    expect(asked.error).toBe(REFUSED);
    asked.refetch();
    expect(pages.fetchNextPage).toHaveBeenCalledOnce();
    expect(pages.refetch).not.toHaveBeenCalled();
    expect(head.refetch).not.toHaveBeenCalled();
  });

  it('asks for the log itself again when nothing of it came', () => {
    const pages = { ...allPages(), error: REFUSED };
    logQuestion(pages, undefined).refetch();
    expect(pages.refetch).toHaveBeenCalledOnce();
    expect(pages.fetchNextPage).not.toHaveBeenCalled();
  });

  it('tells that what is shown is old as soon as its newest page can not be read, but not while it is paused', () => {
    const head = { ...answered(), error: OFFLINE, isFetching: true };
    const asked = logQuestion(allPages(), head);
    expect(asked).toMatchObject({ error: OFFLINE, isFetching: true });
    asked.refetch();
    expect(head.refetch).toHaveBeenCalledOnce();
    expect(logQuestion(allPages(), undefined).error).toBeNull();
  });

  it('asks for both again when both have failed', () => {
    const pages = { ...allPages(), error: OFFLINE, isFetchNextPageError: true };
    const head = { ...answered(), error: OFFLINE };
    logQuestion(pages, head).refetch();
    expect(pages.fetchNextPage).toHaveBeenCalledOnce();
    expect(head.refetch).toHaveBeenCalledOnce();
  });
});
