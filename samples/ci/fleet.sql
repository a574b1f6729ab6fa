-- SPDX-License-Identifier: Apache-2.0
-- What is wrong in the dumps of a fleet, most frequent first, with how many files it is in:
--
--     jaxpr check --extract --format=jsonl -j 8 dumps > findings.jsonl
--     duckdb < samples/ci/fleet.sql
SELECT code, name, count(*) AS findings, count(DISTINCT file) AS files,
       min(file || ':' || line) AS example
FROM read_json('findings.jsonl', format = 'newline_delimited')
GROUP BY code, name
ORDER BY findings DESC, code;
