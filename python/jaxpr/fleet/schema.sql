-- SPDX-License-Identifier: Apache-2.0
-- The database of `python -m jaxpr index`. There is one writer at a time, every change is a transaction, and the writer keeps
-- these keys unique: `source` of files; `source, program` of programs; `run` of runs.

CREATE TABLE IF NOT EXISTS runs (
    run BIGINT, started TIMESTAMP, finished TIMESTAMP, version VARCHAR, directory VARCHAR, workers BIGINT,
    files BIGINT, unchanged BIGINT, bytes BIGINT, programs BIGINT, failed BIGINT, equations BIGINT, seconds DOUBLE);
COMMENT ON TABLE runs IS 'each run of the index; counts of bytes, programs and equations are of what it read';
COMMENT ON COLUMN runs.started IS 'in UTC';
COMMENT ON COLUMN runs.finished IS 'null if it was interrupted';
COMMENT ON COLUMN runs.unchanged IS 'files that had the same size and time, or the same bytes, as in the last run';

CREATE TABLE IF NOT EXISTS files (
    source VARCHAR, size BIGINT, modified BIGINT, content VARCHAR, version VARCHAR, run BIGINT);
COMMENT ON TABLE files IS 'each file as it was last read; unchanged files are not read again';
COMMENT ON COLUMN files.source IS 'its path in the directory';
COMMENT ON COLUMN files.modified IS 'nanoseconds since 1970';
COMMENT ON COLUMN files.content IS 'SHA-256 of its decompressed bytes; null if it could not be read';

CREATE TABLE IF NOT EXISTS programs (
    source VARCHAR, program BIGINT, line BIGINT, digest VARCHAR, signature VARCHAR, equations BIGINT, depth BIGINT,
    constants BIGINT, constant_bytes BIGINT, flops BIGINT, transcendentals BIGINT, bytes_read BIGINT, bytes_written BIGINT,
    peak_bytes BIGINT, errors BIGINT, error VARCHAR, run BIGINT);
COMMENT ON TABLE programs IS 'a row for each current program of each source';
COMMENT ON COLUMN programs.program IS 'the index of the program in its file, from 0';
COMMENT ON COLUMN programs.digest IS 'as jaxpr-hash(1) prints it, the same for equal programs; null if it could not be read';
COMMENT ON COLUMN programs.signature IS 'types of arguments and results, as jaxpr-sig(1) prints them';
COMMENT ON COLUMN programs.equations IS 'the number of equations, nested programs included, as jaxpr-stats(1) counts them';
COMMENT ON COLUMN programs.flops IS 'costs are null if they depend on unknown sizes; no number exceeds 2^63 - 1';
COMMENT ON COLUMN programs.errors IS 'the number of errors that jaxpr-check(1) reports';
COMMENT ON COLUMN programs.error IS 'the reason why the program could not be read; columns about it are null then';
COMMENT ON COLUMN programs.run IS 'the run that first found this digest for this program of this source';

CREATE TABLE IF NOT EXISTS history (source VARCHAR, program BIGINT, digest VARCHAR, run BIGINT, until BIGINT);
COMMENT ON TABLE history IS 'programs that changed or were removed: the digest that each had from a run until another';

CREATE TABLE IF NOT EXISTS operations (digest VARCHAR, primitive VARCHAR, type VARCHAR, dtype VARCHAR, equations BIGINT);
COMMENT ON TABLE operations IS 'equations of each digest by primitive and type of the first result';
COMMENT ON COLUMN operations.dtype IS 'the element type, such as f32; for a ref, that of its array; empty for other types';

CREATE TABLE IF NOT EXISTS costs (
    digest VARCHAR, primitive VARCHAR, times BIGINT, flops BIGINT, transcendentals BIGINT, bytes_read BIGINT,
    bytes_written BIGINT, unknown BIGINT);
COMMENT ON TABLE costs IS 'the cost of all equations of each primitive, for each digest';
COMMENT ON COLUMN costs.times IS 'how often these equations run';
COMMENT ON COLUMN costs.unknown IS 'the number of equations of unknown cost, which count as zero';

CREATE TABLE IF NOT EXISTS nested (
    digest VARCHAR, nested VARCHAR, name VARCHAR, equations BIGINT, copies BIGINT);
COMMENT ON TABLE nested IS 'the nested programs of each digest';
COMMENT ON COLUMN nested.nested IS 'the digest of the nested program';
COMMENT ON COLUMN nested.copies IS 'how often its text occurs in the program';

CREATE TABLE IF NOT EXISTS findings (
    source VARCHAR, program BIGINT, digest VARCHAR, code VARCHAR, name VARCHAR, level VARCHAR, line BIGINT, "column" BIGINT,
    message VARCHAR);
COMMENT ON TABLE findings IS 'the findings of jaxpr-check(1) and jaxpr-lint(1) with default options';

CREATE TABLE IF NOT EXISTS lines (
    source VARCHAR, program BIGINT, digest VARCHAR, place VARCHAR, times BIGINT, flops BIGINT, transcendentals BIGINT,
    bytes_read BIGINT, bytes_written BIGINT);
COMMENT ON TABLE lines IS 'the cost of all equations of each source line, if JAX printed source lines';
COMMENT ON COLUMN lines.place IS 'the source line, such as step.py:3:6 (f)';

-- a view for each question

CREATE OR REPLACE VIEW distinct_programs AS
SELECT count(*) AS programs, count(DISTINCT digest) AS "distinct", count(*) FILTER (WHERE digest IS NULL) AS failed,
    count(DISTINCT source) AS sources, sum(equations) AS equations
FROM programs;
COMMENT ON VIEW distinct_programs IS 'the numbers of programs, and of distinct ones';

CREATE OR REPLACE VIEW changes AS
WITH spans AS (
    SELECT source, program, digest, run, NULL AS until FROM programs
    UNION ALL SELECT source, program, digest, run, until FROM history)
SELECT coalesce(a.source, b.source) AS source, coalesce(a.program, b.program) AS program,
    CASE WHEN b.source IS NULL THEN 'new' WHEN a.source IS NULL THEN 'gone' ELSE 'changed' END AS what,
    b.digest AS "before", a.digest AS "after", runs.run, runs.started
FROM spans a FULL JOIN (SELECT * FROM spans WHERE until IS NOT NULL) b
    ON a.source = b.source AND a.program = b.program AND a.run = b.until
JOIN runs ON runs.run = coalesce(a.run, b.until);
COMMENT ON VIEW changes IS 'which programs are new, changed or gone, by run';

CREATE OR REPLACE VIEW changed_since_yesterday AS
SELECT * FROM changes WHERE started > make_timestamp(epoch_us(now())) - INTERVAL 1 DAY
ORDER BY started DESC, what, source, program;
COMMENT ON VIEW changed_since_yesterday IS 'the changes of all runs of the last 24 hours';

CREATE OR REPLACE VIEW uses_f64 AS
SELECT p.source, p.program, p.signature, coalesce(o.equations, 0) AS equations, o.primitives
FROM programs p LEFT JOIN (
    SELECT digest, sum(equations) AS equations, list(DISTINCT primitive ORDER BY primitive) AS primitives
    FROM operations WHERE dtype IN ('f64', 'c128') GROUP BY digest) o USING (digest)
WHERE o.equations > 0 OR regexp_matches(p.signature, '\b(f64|c128)\[')
ORDER BY equations DESC, p.source, p.program;
COMMENT ON VIEW uses_f64 IS 'the programs that use f64 or c128, in equations, arguments or results';

CREATE OR REPLACE VIEW largest_peak AS
SELECT source, program, line, peak_bytes, constant_bytes, equations, signature
FROM programs WHERE peak_bytes IS NOT NULL ORDER BY peak_bytes DESC, source, program;
COMMENT ON VIEW largest_peak IS 'the programs by the largest number of bytes live at one time';

CREATE OR REPLACE VIEW repeated_nested AS
SELECT n.nested, min(n.name) AS name, min(n.equations) AS equations, sum(n.copies) AS copies,
    count(DISTINCT p.digest) AS programs, count(DISTINCT p.source) AS sources, min(p.source) AS example
FROM nested n JOIN programs p USING (digest)
GROUP BY n.nested HAVING count(DISTINCT p.digest) > 1
ORDER BY min(n.equations) * sum(n.copies) DESC, n.nested;
COMMENT ON VIEW repeated_nested IS 'nested programs that occur in several distinct programs';

CREATE OR REPLACE VIEW dups AS
WITH places AS (
    SELECT digest, equations, source, 1 AS copies FROM programs WHERE equations > 0
    UNION ALL SELECT n.nested, n.equations, p.source, n.copies FROM nested n JOIN programs p USING (digest))
SELECT digest, min(equations) AS equations, sum(copies) AS copies, count(DISTINCT source) AS sources,
    min(source) AS example
FROM places GROUP BY digest HAVING sum(copies) > 1
ORDER BY min(equations) * (sum(copies) - 1) DESC, digest;
COMMENT ON VIEW dups IS 'equal programs, whole and nested, as jaxpr-dups(1) groups them';

CREATE OR REPLACE VIEW problems AS
SELECT code, name, level, count(*) AS findings, count(DISTINCT source) AS sources,
    min(source || ':' || line) AS example
FROM findings GROUP BY ALL ORDER BY findings DESC, code;
COMMENT ON VIEW problems IS 'the codes of findings, most frequent first';

CREATE OR REPLACE VIEW hot_lines AS
SELECT place, count(DISTINCT source) AS sources, sum(flops) AS flops, sum(bytes_read::HUGEINT + bytes_written) AS bytes
FROM lines GROUP BY place ORDER BY flops DESC, bytes DESC, place;
COMMENT ON VIEW hot_lines IS 'the cost of each source line in all programs together';

CREATE OR REPLACE VIEW failures AS
SELECT source, program, line, error FROM programs WHERE error IS NOT NULL ORDER BY source, program;
COMMENT ON VIEW failures IS 'the programs that could not be read, and why';
